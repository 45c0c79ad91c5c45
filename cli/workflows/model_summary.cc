#include "cli/workflows/model_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "dialogue/questions/question.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/planner.h"
#include "kgwalk/responder.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

constexpr std::size_t kRelations = 10, kEntities = 10, kSamples = 10;

// An answered question of the file.
struct Answered {
  dialogue::QuestionTurn question;
  bool right = false;
};

std::vector<Answered> read_answered(const std::filesystem::path& file) {
  std::vector<Answered> all;
  const std::string text = read_file(file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Json json = Json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (!json.is_object()) continue;
    const bool right = json.value("right", false);
    for (const char* of_answer : {"start found", "answered", "heard", "asked", "missing", "listed", "right"})
      json.erase(of_answer);
    all.push_back({dialogue::question_of(json), right});
  }
  return all;
}

std::string said_in_one_line(const std::vector<std::string>& turns) {
  std::string line;
  for (const std::string& turn : turns) line += (line.empty() ? "" : " / ") + turn;
  return line;
}

// The relations with most facts, each with one of them.
void add_relations(const graph::KnowledgeGraph& graph, std::string& text, Json& json) {
  std::vector<std::uint64_t> facts(graph.num_relations(), 0);
  std::vector<graph::Triple> first(graph.num_relations());
  for (graph::EntityId head = 0; head < graph.num_connected(); ++head)
    for (const graph::Edge& edge : graph.out_edges(head))
      if (facts[edge.relation]++ == 0) first[edge.relation] = {head, edge.relation, edge.tail};
  std::vector<graph::RelationId> order;
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r)
    if (facts[r] > 0 && !graph.relation_name(r).starts_with('~')) order.push_back(r);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return facts[a] > facts[b]; });
  text += fmt::format("{} relations; those with most facts:\n",
                      with_commas(static_cast<long long>(order.size())));
  for (std::size_t i = 0; i < std::min(order.size(), kRelations); ++i) {
    const graph::RelationId r = order[i];
    text += fmt::format("  {:>9}  {}: {} -> {}\n", with_commas(static_cast<long long>(facts[r])),
                        graph.relation_name(r), graph.entity_name(first[r].head),
                        graph.entity_name(first[r].tail));
    json["relations"].push_back({{"name", graph.relation_name(r)}, {"facts", facts[r]}});
  }
}

void add_entities(const graph::KnowledgeGraph& graph, std::string& text, Json& json) {
  std::vector<graph::EntityId> order(graph.num_connected());
  std::iota(order.begin(), order.end(), graph::EntityId{0});
  const std::size_t count = std::min(order.size(), kEntities);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](graph::EntityId a, graph::EntityId b) {
                      const auto x = graph.out_edges(a).size(), y = graph.out_edges(b).size();
                      return x != y ? x > y : a < b;
                    });
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    names += (names.empty() ? "" : ", ") + std::string(graph.entity_name(order[i]));
    json["entities"].push_back(graph.entity_name(order[i]));
  }
  text += "most is known of: " + names + "\n";
}

std::string answer_to(const Planner& planner, const Responder& responder,
                      const std::vector<std::string>& turns) {
  PlanRequest request;
  for (const std::string& turn : turns) request.history.push_back({"user", turn});
  try {
    return responder.say(planner.explain(request));
  } catch (const ConfigError& error) {  // nothing that the graph has was named
    return error.what();
  }
}

// Questions of different relations first, so that the samples show what can be asked.
std::vector<const Answered*> samples_of(const std::vector<Answered>& answered) {
  std::vector<const Answered*> chosen;
  std::map<std::string, int> seen;
  for (int round = 1; round <= 3; ++round) {
    for (const Answered& one : answered) {
      const dialogue::QuestionTurn& q = one.question;
      if (chosen.size() == kSamples) return chosen;
      if (q.asks == dialogue::Asks::kNothing || q.relations.empty() || q.relations.front().empty()) continue;
      int& times = seen[q.relations.front().front()];
      if (times >= round || std::find(chosen.begin(), chosen.end(), &one) != chosen.end()) continue;
      ++times;
      chosen.push_back(&one);
    }
  }
  return chosen;
}

void add_samples(const Planner& planner, const std::vector<Answered>& answered, std::string& text,
                 Json& json) {
  const Responder responder = Responder::by_wordings();
  const std::vector<const Answered*> chosen = samples_of(answered);
  text += fmt::format("\n{} questions and what it answers (none was learned from)\n", chosen.size());
  for (const Answered* one : chosen) {
    const std::string said = said_in_one_line(one->question.turns),
                      answer = answer_to(planner, responder, one->question.turns);
    text += fmt::format("  {}\n    {}{}\n", said, answer, one->right ? "" : "   (not right)");
    json["samples"].push_back({{"question", said}, {"answer", answer}, {"right", one->right}});
  }
}

void add_quality(const std::vector<Answered>& answered, std::string& text, Json& json) {
  const auto share = [&](auto&& counts) {
    std::size_t all = 0, right = 0;
    for (const Answered& one : answered)
      if (counts(one.question)) {
        ++all;
        right += one.right ? 1 : 0;
      }
    return std::pair(all, all > 0 ? 100.0 * static_cast<double>(right) / static_cast<double>(all) : 0.0);
  };
  using dialogue::Asks;
  const std::pair<const char*, Asks> kinds[] = {{"one thing", Asks::kOne},
                                                {"a list", Asks::kList},
                                                {"yes or no", Asks::kVerify},
                                                {"what the graph does not say", Asks::kMissing},
                                                {"nothing", Asks::kNothing}};
  text += "\nhow often it is right, in wordings that were never learned from, the start not given\n";
  for (const auto& [name, kind] : kinds) {
    const auto [count, right] = share([k = kind](const dialogue::QuestionTurn& q) { return q.asks == k; });
    if (count == 0) continue;
    text += fmt::format("  asked for {:<28} {:>5.1f} % of {}\n", name, right, count);
    json["right"][name] = {{"questions", count}, {"percent", right}};
  }
  const auto [count, right] =
      share([](const dialogue::QuestionTurn& q) { return q.asks == Asks::kOne || q.asks == Asks::kList; });
  if (count > 0) {
    text += fmt::format("  the right answer first           {:>11.1f} % of {}\n", right, count);
    json["right first"] = {{"questions", count}, {"percent", right}};
  }
}

}  // namespace

ModelSummary summarize_model(const SummaryRequest& request, Reporter& reporter) {
  reporter.info("asking the model");
  const PackedModel model = PackedModel::open(request.model, reporter);
  const Planner planner = Planner::open(model.database, model.run, {.threads = 0, .text = model.text});
  const graph::KnowledgeGraph& graph = planner.graph();
  ModelSummary summary;
  summary.title = model.name;
  std::string& text = summary.text;
  Json& json = summary.json;
  json["model"] = request.model.string();
  json["seconds"] = request.seconds;
  text += fmt::format("what it is about: {} entities, {} facts\n", with_commas(graph.num_connected()),
                      with_commas(static_cast<long long>(graph.num_edges() / 2)));
  if (!model.about.empty()) text += model.about + "\n";
  add_entities(graph, text, json);
  add_relations(graph, text, json);
  const std::vector<Answered> answered = read_answered(request.answered);
  add_samples(planner, answered, text, json);
  add_quality(answered, text, json);
  if (!request.ask.empty()) text += "\nasked\n";
  const Responder responder = Responder::by_wordings();
  for (const std::string& question : request.ask) {
    const std::string answer = answer_to(planner, responder, {question});
    text += fmt::format("  {}\n    {}\n", question, answer);
    json["asked"].push_back({{"question", question}, {"answer", answer}});
  }
  if (request.seconds > 0) text += "\neverything took " + format_duration(request.seconds) + "\n";
  return summary;
}

void write_summary(const std::filesystem::path& page, const ModelSummary& summary) {
  write_file_atomically(
      page, "# " + summary.title + "\n\nWhat `kgwalk` made of this graph.\n\n```\n" + summary.text + "```\n");
}

}  // namespace kgwalk::cli
