// What may be asked of a model without a conversation, each under a name, with the schema of its input. The
// HTTP routes, the batches and the tools of MCP are all made from this one table.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "kgwalk/json.h"
#include "server/state/model.h"

namespace kgwalk::server {

struct Operation {
  std::string_view name;
  std::string_view summary;                            // a sentence, for people and for language models
  bool plain;                                          // its input is words and numbers: a GET can ask it
  Json (*input)();                                     // schema of the input, without "model"
  Json (*output)();                                    // schema of what run() gives
  Json (*run)(const Model& model, const Json& input);  // `input` fits the schema; errors as the library's
  // It changes what is served: asked alone, by those who may write, whose name is put into the input as
  // "author".
  bool writes = false;
};

[[nodiscard]] std::span<const Operation> operations();
// One of a batch, where what goes wrong is told in its place: {"status": 200, "output": what run() gives}, or
// the status of a failure with its title and detail.
[[nodiscard]] Json outcome_of(const std::function<Json()>& run);
// Null when there is none of this name.
[[nodiscard]] const Operation* operation_named(std::string_view name);
// The schema of the input with "model", which every operation takes.
[[nodiscard]] Json input_with_model(const Operation& operation);

}  // namespace kgwalk::server
