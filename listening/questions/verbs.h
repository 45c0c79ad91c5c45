// Verbs that a relation is said by: those of its family, else made of its name ("reports to", "contained
// by"). Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "listening/candidates/lexicon.h"

namespace kgwalk::listening {

struct Verb {
  std::string base, past,
      third;         // "play for", "played for", "plays for"; "be born in", "was born in", "is born in"
  bool is = false;   // begins with "be"
  std::string rest;  // of those: "born in"; of others the base
  std::string bare;  // rest without its preposition: "born", "play"
  std::string preposition;  // "in", "for"; or empty
};
[[nodiscard]] Verb verb_of(const std::string& base, const std::string& past);
// "did X play for", "was X born in".
[[nodiscard]] std::string did(const Verb& verb, const std::string& x);
[[nodiscard]] std::string third_person(std::string_view base);  // "plays for"

struct Done {
  std::string participle, past, base;  // "written", "wrote", "write"
};

struct SaidRelation {
  std::string label;               // its name as a noun; empty where it is none
  std::vector<std::string> nouns;  // of its family; may be empty
  std::vector<std::string> loose;  // words of its family that may stand for it
  // What the tail did to the head, the head does to the tail, the tail does with the head.
  std::vector<Done> done;
  std::vector<Verb> does, acts;
  EndKind head = EndKind::kUnknown, tail = EndKind::kUnknown;
  std::vector<std::string> head_nouns;
};
// Whether the tail is or was in the head: an actor in a film, a member in a band.
[[nodiscard]] bool is_taken_part_in(const SaidRelation& relation);
[[nodiscard]] SaidRelation said_relation(const RelationWords& words);

}  // namespace kgwalk::listening
