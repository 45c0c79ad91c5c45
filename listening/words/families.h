// Families of relation names and the words by which people ask for them: data/words/families.txt, compiled
// in. Torch-free.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace kgwalk::listening {

// What a relation leads to.
enum class EndKind : unsigned char {
  kUnknown,
  kPerson,
  kPlace,
  kOrganization,
  kWork,
  kThing,
  kDate,
  kNumber
};

// By its letter in families.txt ("p", "l"); kUnknown for any other.
[[nodiscard]] EndKind end_kind_named(std::string_view letter);
// What a folded noun calls anything of a kind ("people", "places"); of anything at all ("things") kThing.
[[nodiscard]] std::optional<EndKind> kind_called(std::string_view noun);

struct Family {
  std::vector<std::vector<std::string>> names;  // each split into words
  EndKind tail = EndKind::kUnknown;
  EndKind head = EndKind::kUnknown;
  std::vector<std::string> nouns;                         // for the tail: "director", "filmmaker"
  std::vector<std::pair<std::string, std::string>> done;  // by the tail to the head: participle, past
  std::vector<std::pair<std::string, std::string>>
      does;  // the head to the tail: base, past ("be born in", "was born in")
  std::vector<std::pair<std::string, std::string>> acts;  // the tail, the head being its object: base, past
  std::vector<std::string> head_nouns;                    // "film", "movie"
  std::vector<std::string> loose;                         // words by which people may ask for it, less surely
  std::unordered_set<std::string> said;  // content words of all these but the nouns for the head
};

[[nodiscard]] std::span<const Family> families();

// That of a relation whose name has these words: by the whole name, its singular, or what is left without
// "former", "name", "has" and the like. nullptr where there is none.
[[nodiscard]] const Family* family_of(std::span<const std::string> words);

}  // namespace kgwalk::listening
