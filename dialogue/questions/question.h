// Questions as data: what was said, what it asks for and what is right, one a line of a file in JSON lines.
// Names of entities and relations are those of the graph asked about, compared in lower case; a leading ~ is
// an inverse. Torch-free.
//
// A line, where whatever is not known is left out:
//   {"turns": ["I saw Inception last night.", "Who directed it?"], "start": "Inception", "asks": "one",
//    "relations": [["directed_by"]], "answers": ["Christopher Nolan"], "wording": "director/3",
//    "split": "train"}
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk::dialogue {

// What is asked for: one entity, all of them, whether something is so, something that the graph does not say
// of the start, or nothing.
enum class Asks { kOne, kList, kVerify, kMissing, kNothing };
[[nodiscard]] std::string_view name_of(Asks asks);

struct QuestionTurn {
  std::vector<std::string> turns;  // oldest first, the last one is the question; never empty
  std::string start;               // entity asked about; empty in sources without a graph
  Asks asks = Asks::kOne;
  // For each hop every relation by which a step is right; empty where only the answers are known, or nothing
  // is asked.
  std::vector<std::vector<std::string>> relations;
  int hops = 1;                      // of the way to an answer
  std::vector<std::string> answers;  // all right ones; of kVerify those that would make it true
  std::string claim;                 // kVerify: the entity that is said to be one of them
  std::optional<bool> holds;         // kVerify: whether it is
  std::vector<std::string> said_as;  // other words for the relation of the first hop: "filmmaker behind"
  std::string wording;               // names the pattern it was made from; empty where people wrote it
  std::string split;                 // "train", "test_wording" or "test_relation"; empty where there are none
  std::vector<std::array<std::string, 3>>
      walked;                     // hops of a path walked before the last turn: head, relation, tail
  std::string mention = "named";  // "pronoun" where the question itself does not name its start
};

// ConfigError that names the member when the object is none.
[[nodiscard]] QuestionTurn question_of(const Json& json);
[[nodiscard]] Json to_json(const QuestionTurn& question);
// The same where json converts by itself.
inline void to_json(Json& json, const QuestionTurn& question) { json = to_json(question); }
inline void from_json(const Json& json, QuestionTurn& question) { question = question_of(json); }

// All lines of a file. DataError with the line of the first that is no question; IoError.
[[nodiscard]] std::vector<QuestionTurn> read_questions(const std::filesystem::path& path);
void write_questions(const std::filesystem::path& path, const std::vector<QuestionTurn>& questions);

}  // namespace kgwalk::dialogue
