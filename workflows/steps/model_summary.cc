#include "workflows/steps/model_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "kgwalk/conversation.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/store.h"
#include "kgwalk/typed_values.h"
#include "listening/network/listener.h"
#include "listening/questions/generator.h"
#include "planner/exam/apart_exam.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"
#include "workflows/training/listener_lessons.h"

namespace kgwalk {
namespace {

constexpr std::size_t kRelations = 10, kEntities = 10, kSamples = 10;
constexpr std::size_t kMeasured = 400;  // questions
constexpr std::uint64_t kMeasuredSeed = 99;

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

std::string answer_to(const Conversation& model, const std::string& question) {
  return model.another(1).answer(question).said;
}

// Of each kind some.
std::vector<const HeldTurn*> samples_of(const ExamReport& report) {
  std::vector<const HeldTurn*> chosen;
  std::map<std::string, std::size_t> seen;
  for (std::size_t round = 1; round <= kSamples; ++round)
    for (const auto& conversation : report.conversations)
      for (const HeldTurn& held : conversation) {
        if (chosen.size() == kSamples) return chosen;
        if (seen[held.turn.kind] >= round || std::find(chosen.begin(), chosen.end(), &held) != chosen.end())
          continue;
        ++seen[held.turn.kind];
        chosen.push_back(&held);
      }
  return chosen;
}

void add_samples(const ExamReport& report, std::string& text, Json& json) {
  const std::vector<const HeldTurn*> chosen = samples_of(report);
  text += fmt::format("\n{} questions and what it answers (none was learned from)\n", chosen.size());
  for (const HeldTurn* held : chosen) {
    text += fmt::format("  {}\n    {}{}\n", held->turn.say, held->said, held->right ? "" : "   (not right)");
    json["samples"].push_back({{"question", held->turn.say}, {"answer", held->said}, {"right", held->right}});
  }
}

// Of other questions than those learned from, in wordings of the same kinds: on four graphs of packages it
// came within eleven points of what it got of people's questions (docs/results/hearing.md).
void add_usual_quality(const graph::KnowledgeGraph& graph, const std::filesystem::path& run,
                       Reporter& reporter, const StopFlag& stop, std::string& text, Json& json) {
  if (!RunFolder::is_run(run)) return;
  const listening::ListenedGraph listened(graph);
  listening::QuestionConfig config;
  config.count = static_cast<int>(kMeasured);
  const std::vector<listening::FormQuestion> questions =
      listening::make_form_questions(listened.lexicon(), listened.engine(), config, kMeasuredSeed);
  const Json measured =
      listening::measure_listener(listened, run, encoder_of_listener(run, {}), questions, reporter, stop);
  const double percent = measured.at("score");
  text += fmt::format(
      "\nhow often it is right\n  in usual wordings, other questions than learned    {:>5.1f} % of {}\n",
      percent, questions.size());
  json["right"]["usual wordings"] = {{"questions", questions.size()}, {"percent", percent}};
}

void add_quality(const ExamReport& report, const ApartExam& apart, std::string& text, Json& json) {
  text += fmt::format(
      "\nin uncommon wordings that were never learned from\n"
      "(they exist for {} of {} relations; the others are not measured)\n",
      apart.relations, apart.of_relations);
  for (const ExamReport::Kind& kind : report.kinds()) {
    if (kind.turns == 0) continue;
    const std::string name = kind.name.empty() ? "all" : kind.name;
    const double percent = 100.0 * static_cast<double>(kind.right) / static_cast<double>(kind.turns);
    text += fmt::format("  {:<28} {:>5.1f} % of {}\n", name, percent, kind.turns);
    json["right"][name] = {{"questions", kind.turns}, {"percent", percent}};
  }
}

}  // namespace

ModelSummary summarize_model(const SummarizeOptions& request, Reporter& reporter, const StopFlag& stop) {
  reporter.info("asking the model");
  const PackedModel model = PackedModel::open(request.model, reporter);
  const graph::KnowledgeGraph graph =
      graph::Store::open(model.database, graph::Store::Mode::kReadOnly).load_graph();
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
  const Conversation talk =
      Conversation::open(model.database, model.run, {.text = model.text, .trace = false});
  const ApartExam apart = apart_exam(graph::TypedValues(graph), kMeasured, 1);
  const ExamReport report = hold_exam(talk, apart.exam, 1, reporter, stop);
  if (!apart.exam.empty()) add_samples(report, text, json);
  add_usual_quality(graph, model.run / "listener", reporter, stop, text, json);
  if (!apart.exam.empty()) add_quality(report, apart, text, json);
  if (!request.ask.empty()) text += "\nasked\n";
  for (const std::string& question : request.ask) {
    const std::string answer = answer_to(talk, question);
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

}  // namespace kgwalk
