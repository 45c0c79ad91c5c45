#include "listening/questions/question_file.h"

#include <algorithm>
#include <sstream>

#include "kgwalk/error.h"
#include "kgwalk/json.h"
#include "runtime/atomic_file.h"
#include "runtime/input_bytes.h"

namespace kgwalk::listening {
namespace {

// False where the graph lacks an answer.
bool take_answers(const Json& names, const graph::KnowledgeGraph& graph, FormQuestion& question) {
  for (const Json& name : names) {
    const auto entity = graph.find_entity(name.get_ref<const std::string&>());
    if (!entity) return false;
    question.answers.push_back(*entity);
  }
  std::sort(question.answers.begin(), question.answers.end());
  question.answers.erase(std::unique(question.answers.begin(), question.answers.end()),
                         question.answers.end());
  return true;
}

bool is_question(const Json& json) {
  if (!json.is_object() || !json.contains("question") || !json["question"].is_string()) return false;
  if (json.contains("yes")) return json["yes"].is_boolean();
  if (json.contains("amount")) return json["amount"].is_number();
  if (json.contains("count") && !json["count"].is_number_unsigned()) return false;
  if (json.contains("count") && !json.contains("answers")) return true;
  return json.contains("answers") && json["answers"].is_array() &&
         std::all_of(json["answers"].begin(), json["answers"].end(),
                     [](const Json& name) { return name.is_string(); });
}

}  // namespace

QuestionFile read_form_questions(const std::filesystem::path& file, const graph::KnowledgeGraph& graph,
                                 bool without_named) {
  std::istringstream in(read_input(file));
  QuestionFile out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (!is_question(json))
      throw DataError(file.string(), number,
                      "is no question: an object with \"question\" and \"answers\" (names), \"count\", "
                      "\"amount\" or \"yes\"");
    FormQuestion question;
    question.text = json["question"];
    question.kind = json.value("kind", "question");
    question.without_named = without_named;
    question.counted = json.contains("count");
    if (json.contains("yes"))
      question.truth = json["yes"].get<bool>();
    else if (json.contains("amount"))
      question.amount = json["amount"].get<double>();
    else if (question.counted && !json.contains("answers"))
      question.how_many = json["count"].get<std::uint64_t>();
    else if (!take_answers(json["answers"], graph, question)) {
      ++out.left_out;
      continue;
    }
    out.questions.push_back(std::move(question));
  }
  return out;
}

void write_form_questions(const std::filesystem::path& file, const graph::KnowledgeGraph& graph,
                          std::span<const FormQuestion> questions) {
  AtomicFile out(file);
  for (const FormQuestion& question : questions) {
    Json json = {{"question", question.text}, {"kind", question.kind}};
    if (question.truth) json["yes"] = *question.truth;
    if (question.counted) json["count"] = question.how_many.value_or(question.answers.size());
    if (question.amount) json["amount"] = *question.amount;
    if (!question.truth && !question.how_many && !question.amount) {
      json["answers"] = Json::array();
      for (const graph::EntityId answer : question.answers)
        json["answers"].push_back(graph.entity_name(answer));
    }
    out.write(json.dump() + "\n");
  }
  out.commit();
}

}  // namespace kgwalk::listening
