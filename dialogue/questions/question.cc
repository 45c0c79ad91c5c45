#include "dialogue/questions/question.h"

#include <array>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::array<std::pair<Asks, std::string_view>, 5> kNames{{{Asks::kOne, "one"},
                                                                   {Asks::kList, "list"},
                                                                   {Asks::kVerify, "verify"},
                                                                   {Asks::kMissing, "missing"},
                                                                   {Asks::kNothing, "nothing"}}};

Asks asks_of(const std::string& name) {
  for (const auto& [asks, known] : kNames)
    if (known == name) return asks;
  throw ConfigError("\"asks\" is \"" + name + "\"; it may be one, list, verify, missing or nothing");
}

template <class T>
void take(const Json& json, const char* key, T& value) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  try {
    value = found->get<T>();
  } catch (const Json::exception&) {
    throw ConfigError("\"" + std::string(key) + "\" has a value of another type: " + found->dump());
  }
}

void check(const QuestionTurn& question) {
  if (question.turns.empty() || question.turns.back().empty())
    throw ConfigError("\"turns\" must hold what was said, the question last");
  if (question.hops < 1 || question.hops > 16) throw ConfigError("\"hops\" must lie between 1 and 16");
  if (question.asks == Asks::kVerify && (!question.holds || question.claim.empty()))
    throw ConfigError("a question that is to be verified needs \"claim\" and \"holds\"");
}

}  // namespace

std::string_view name_of(Asks asks) { return kNames[static_cast<std::size_t>(asks)].second; }

QuestionTurn question_of(const Json& json) {
  if (!json.is_object()) throw ConfigError("a question must be an object");
  QuestionTurn question;
  std::string asks = "one";
  bool holds = false;
  take(json, "turns", question.turns);
  take(json, "start", question.start);
  take(json, "asks", asks);
  take(json, "relations", question.relations);
  question.hops = question.relations.empty() ? 1 : static_cast<int>(question.relations.size());
  take(json, "hops", question.hops);
  take(json, "answers", question.answers);
  take(json, "claim", question.claim);
  take(json, "holds", holds);
  take(json, "said_as", question.said_as);
  take(json, "wording", question.wording);
  take(json, "split", question.split);
  take(json, "mention", question.mention);
  take(json, "walked", question.walked);
  question.asks = asks_of(asks);
  if (json.contains("holds")) question.holds = holds;
  check(question);
  return question;
}

Json to_json(const QuestionTurn& question) {
  Json json = {{"turns", question.turns}};
  if (!question.start.empty()) json["start"] = question.start;
  json["asks"] = name_of(question.asks);
  if (!question.relations.empty()) json["relations"] = question.relations;
  if (question.hops != 1) json["hops"] = question.hops;
  if (!question.answers.empty()) json["answers"] = question.answers;
  if (!question.claim.empty()) json["claim"] = question.claim;
  if (question.holds) json["holds"] = *question.holds;
  if (!question.said_as.empty()) json["said_as"] = question.said_as;
  if (!question.wording.empty()) json["wording"] = question.wording;
  if (!question.split.empty()) json["split"] = question.split;
  if (question.mention != "named") json["mention"] = question.mention;
  if (!question.walked.empty()) json["walked"] = question.walked;
  return json;
}

std::vector<QuestionTurn> read_questions(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::vector<QuestionTurn> questions;
  std::string_view left = file.bytes();
  for (std::size_t number = 1; !left.empty(); ++number) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      questions.push_back(question_of(Json::parse(line)));
    } catch (const Json::exception&) {
      throw DataError(path.string(), number,
                      "the line is no JSON object; a file of questions has one a line");
    } catch (const ConfigError& error) {
      throw DataError(path.string(), number, error.what());
    }
  }
  return questions;
}

void write_questions(const std::filesystem::path& path, const std::vector<QuestionTurn>& questions) {
  std::string bytes;
  for (const QuestionTurn& question : questions) bytes.append(to_json(question).dump()).append("\n");
  write_file_atomically(path, bytes);
}

}  // namespace kgwalk::dialogue
