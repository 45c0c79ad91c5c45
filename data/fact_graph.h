// The facts of data/facts/*.tsv as a graph closed under inversion; the source of the embedded sample.
//
// A table file holds blocks. A block starts with a header line "@kind TAB name TAB relation:kind TAB ...";
// each further line is one entity of that kind and one cell a column. A cell lists the tails of the column's
// relation, separated by " | ", or is empty. A header cell "relation=Tail" gives that one tail to every row
// and has no column; the column "pronoun" holds "he" or "she" and makes no triple. Lines that start with '#'
// and empty lines are skipped. A name means the same entity wherever it stands; an entity has one kind. Kinds
// with rows of their own are closed: naming such an entity without a row is an error, which catches
// misspellings. The kind "topic" is given only to tails that are nothing else.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kgwalk::sample {

struct FactEdge {
  int relation;
  int tail;
};

class FactGraph {
 public:
  // Reads the given tables in order. DataError with file and line for anything that breaks the format.
  [[nodiscard]] static FactGraph read(std::span<const std::filesystem::path> tables);

  [[nodiscard]] int num_entities() const noexcept { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::string& name(int entity) const { return names_.at(entity); }
  [[nodiscard]] const std::string& kind(int entity) const { return kinds_.at(entity); }
  // "he", "she", or "" where the tables do not say.
  [[nodiscard]] const std::string& pronoun(int entity) const { return pronouns_.at(entity); }
  // Ids of relations: 2 i is a relation of the tables, 2 i + 1 its inverse with a leading `~`.
  [[nodiscard]] const std::string& relation_name(int relation) const { return relations_.at(relation); }
  [[nodiscard]] int num_relations() const noexcept { return static_cast<int>(relations_.size()); }
  // -1 when there is none of that name.
  [[nodiscard]] int find_relation(std::string_view name) const;
  // Without duplicates, in the order of the tables.
  [[nodiscard]] const std::vector<FactEdge>& edges(int entity) const { return edges_.at(entity); }
  [[nodiscard]] std::vector<int> tails(int entity, int relation) const;

 private:
  friend class FactReader;
  std::vector<std::string> names_, kinds_, pronouns_, relations_;
  std::map<std::string, int, std::less<>> entity_ids_, relation_ids_;
  std::vector<std::vector<FactEdge>> edges_;
  std::set<std::tuple<int, int, int>> seen_;
};

}  // namespace kgwalk::sample
