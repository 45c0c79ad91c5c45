// A row of edges as one packed value, and the variable-length numbers it is made of.
//
//   groups, then per relation in ascending order: relation - previous relation - 1 (the first: relation),
//   number of tails, first tail, then differences of tails minus one. All numbers LEB128.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::graph {

void append_varint(std::string& out, std::uint64_t value);
// Reads a number and drops it from `bytes`; StoreError when they end early.
[[nodiscard]] std::uint64_t take_varint(std::string_view& bytes);

// `row` sorted by (relation, tail) without repeats.
[[nodiscard]] std::string pack_edges(std::span<const Edge> row);
// Appends to `out`; StoreError when the bytes are no packed row.
void unpack_edges(std::string_view bytes, std::vector<Edge>& out);

}  // namespace kgwalk::graph
