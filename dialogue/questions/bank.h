// The wordings of questions: families of relations that say the same thing, and how people ask for them. The
// format is told in data/questions/bank.txt, which is compiled in. Torch-free.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kgwalk::dialogue {

// kOne, kList, kVerify: questions. kPhrase: a noun phrase for what they ask for.
enum class Form { kOne, kList, kVerify, kPhrase };

struct Wording {
  std::string text;  // {x} the entity asked about, {he} as a subject, {x's} as an owner, {y} the claim
  Form form = Form::kOne;
  bool backward = false;  // the tail is named and the head is asked for
  std::string name;       // "director/3"
};

// What a family's heads and tails are: decides their pronouns and which questions may follow each other.
enum class Kind { kPerson, kWork, kPlace, kOrg, kThing };

struct Family {
  std::string name;
  Kind head = Kind::kThing, tail = Kind::kThing;
  std::vector<std::string> relations;  // forward; a leading ~ reads one backwards
  std::vector<std::string> elsewhere;  // words by which other collections of questions name the same
  std::vector<Wording> wordings;
};

struct Bank {
  std::vector<Family> families;
  // What is said around questions: mention, filler, chat, nothing, idle, prefix, test_prefix; questions made
  // of noun phrases, {p}: phrase_one, phrase_list (in the plural), phrase_verify; words that mean the same:
  // same.
  std::unordered_map<std::string, std::vector<std::string>> phrases;
};

// DataError with the line where the text is none. `name` is that of the file in messages.
[[nodiscard]] Bank parse_bank(std::string_view text, std::string_view name);
[[nodiscard]] Bank read_bank(const std::filesystem::path& path);
// The one that is compiled in.
[[nodiscard]] const Bank& builtin_bank();

// A family for a relation that no bank knows: asked for by its words.
[[nodiscard]] Family family_of_relation(std::string_view relation);

}  // namespace kgwalk::dialogue
