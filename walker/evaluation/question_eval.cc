#include "walker/evaluation/question_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "runtime/processor_share.h"
#include "runtime/sharded_work.h"
#include "walker/data/question_turns.h"

namespace kgwalk::walker {
namespace {

using dialogue::Asks;
using dialogue::QuestionTurn;
using graph::EntityId;

constexpr std::size_t kBatch = 32;
constexpr std::size_t kOutcomeRelations = 3;

// Sums of a row before they are shares.
struct Sums {
  std::int64_t count = 0, ranked = 0, lists = 0, claims = 0, absent = 0, answerable = 0;
  double first = 0, first3 = 0, precision = 0, f1 = 0, verified = 0, told = 0, refused = 0, start = 0,
         act = 0;
  Sums& operator+=(const Sums& other);
};

// All numbers of a row, so that what adds them up and what writes them down leave none out.
template <class Of>
auto numbers_of(Of& s) {
  return std::tie(s.count, s.ranked, s.lists, s.claims, s.absent, s.answerable, s.first, s.first3,
                  s.precision, s.f1, s.verified, s.told, s.refused, s.start, s.act);
}

Sums& Sums::operator+=(const Sums& other) {
  std::apply(
      [&](auto&... mine) {
        std::apply([&](const auto&... theirs) { ((mine += theirs), ...); }, numbers_of(other));
      },
      numbers_of(*this));
  return *this;
}

void to_json(Json& json, const Sums& sums) { json = numbers_of(sums); }

void from_json(const Json& json, Sums& sums) {
  std::size_t i = 0;
  std::apply([&](auto&... number) { (json.at(i++).get_to(number), ...); }, numbers_of(sums));
}

struct Judged {
  const QuestionTurn* question = nullptr;
  std::set<EntityId> right;
  bool right_start = true;
  bool found_start = true;
  bool known = true;  // the graph has what is asked about
};

bool among(const std::vector<AnsweredEntity>& entities, const std::set<EntityId>& right, std::size_t count) {
  return std::any_of(entities.begin(),
                     entities.begin() + static_cast<std::ptrdiff_t>(std::min(count, entities.size())),
                     [&](const AnsweredEntity& e) { return right.contains(e.entity); });
}

double share_right(const std::vector<AnsweredEntity>& entities, const std::set<EntityId>& right,
                   std::size_t count) {
  double hits = 0;
  for (std::size_t i = 0; i < std::min(count, entities.size()); ++i)
    hits += right.contains(entities[i].entity) ? 1 : 0;
  return hits;
}

void judge_list(const Judged& judged, const Answer& answer, Sums& sums) {
  if (judged.right.empty()) return;
  const auto n = static_cast<double>(judged.right.size());
  ++sums.lists;
  sums.precision += share_right(answer.entities, judged.right, judged.right.size()) / n;
  const double hits = share_right(answer.entities, judged.right, answer.right);
  sums.f1 += 2 * hits / (n + static_cast<double>(answer.right));
}

void judge(const Judged& judged, const Answer& answer, Sums& sums) {
  const QuestionTurn& question = *judged.question;
  ++sums.count;
  sums.act += (answer.act == Act::kNothing) == (question.asks == Asks::kNothing) ? 1 : 0;
  sums.start += judged.right_start ? 1 : 0;
  if (question.asks == Asks::kNothing) return;
  if (question.asks == Asks::kMissing) {
    ++sums.absent;
    sums.told += answer.missing ? 1 : 0;
    return;
  }
  ++sums.answerable;
  sums.refused += answer.missing ? 1 : 0;
  if (question.asks == Asks::kVerify) {
    ++sums.claims;
    sums.verified += (answer.verified >= 0.5) == *question.holds ? 1 : 0;
    return;
  }
  ++sums.ranked;
  sums.first += among(answer.entities, judged.right, 1) ? 1 : 0;
  sums.first3 += among(answer.entities, judged.right, 3) ? 1 : 0;
  if (question.asks == Asks::kList) judge_list(judged, answer, sums);
}

QuestionRow row_of(const Sums& sums) {
  const auto percent = [](double sum, std::int64_t count) {
    return count == 0 ? 0.0 : 100 * sum / static_cast<double>(count);
  };
  QuestionRow row;
  row.count = sums.count;
  row.first = percent(sums.first, sums.ranked);
  row.first3 = percent(sums.first3, sums.ranked);
  row.lists = sums.lists;
  row.list_precision = percent(sums.precision, sums.lists);
  row.list_f1 = percent(sums.f1, sums.lists);
  row.claims = sums.claims;
  row.verified = percent(sums.verified, sums.claims);
  row.absent = sums.absent;
  row.answerable = sums.answerable;
  row.absence_told = percent(sums.told, sums.absent);
  row.refused = percent(sums.refused, sums.answerable);
  row.start = percent(sums.start, sums.count);
  row.act = percent(sums.act, sums.count);
  return row;
}

bool is_right(const Judged& judged, const Answer& answer) {
  const QuestionTurn& question = *judged.question;
  if (question.asks == Asks::kNothing) return answer.act == Act::kNothing;
  if (question.asks == Asks::kMissing) return answer.missing;
  if (question.asks == Asks::kVerify) return (answer.verified >= 0.5) == *question.holds;
  return among(answer.entities, judged.right, 1);
}

QuestionOutcome outcome_of(const graph::KnowledgeGraph& graph, const Judged& judged, EntityId start,
                           const Answer& answer) {
  QuestionOutcome outcome;
  if (judged.found_start) outcome.start = graph.entity_name(start);
  if (!answer.entities.empty()) outcome.answered = graph.entity_name(answer.entities.front().entity);
  if (!answer.hearing.present.empty())
    outcome.heard = graph.relation_name(answer.hearing.present.front().relation);
  for (const HeardRelation& relation : answer.hearing.asked)
    if (outcome.asked.size() < kOutcomeRelations)
      outcome.asked.emplace_back(graph.relation_name(relation.relation));
  outcome.missing = answer.hearing.missing;
  outcome.listed = answer.right;
  outcome.right = is_right(judged, answer);
  return outcome;
}

// What the graph does not know as an answer could not have been found.
void add_link_ranks(const graph::KnowledgeGraph& graph, const Judged& judged, const Answer& answer,
                    std::vector<LinkRank>& ranks) {
  const QuestionTurn& question = *judged.question;
  if ((question.asks != Asks::kOne && question.asks != Asks::kList) || judged.right.empty()) return;
  std::vector<FoundEnd> found;
  for (const AnsweredEntity& entity : answer.entities) found.push_back({entity.entity, entity.probability});
  std::string relation;
  for (const std::vector<std::string>& hop : question.relations)
    relation.append(relation.empty() ? "" : " / ").append(hop.empty() ? "" : hop.front());
  const std::vector<double> stood = end_ranks(found, judged.right, graph.num_connected());
  auto rank = stood.begin();
  for (const EntityId right : judged.right)
    ranks.push_back({.head = question.start,
                     .relation = relation,
                     .tail = std::string(graph.entity_name(right)),
                     .rank = *rank++});
}

// The start and what may have to be verified, as the walker finds them.
void choose(const WalkModel& model, Example& example, std::optional<EntityId>& claim, Judged& judged) {
  const EntityId right = example.start;
  const std::vector<ChosenStart> starts = model.choose_start(example);
  judged.found_start = !starts.empty();
  example.start =
      judged.found_start ? starts.front().entity : 0;  // nothing was named: any, which answers nothing
  judged.right_start = (judged.found_start && example.start == right) || judged.question->start.empty();
  if (claim) claim = claim_among(starts, example.start);
}

std::vector<std::string> rows_of(const QuestionTurn& question) {
  std::string kind(name_of(question.asks));
  if (question.hops > 1) kind.append(", ").append(std::to_string(question.hops)).append(" hops");
  std::vector<std::string> rows{"all", kind};
  if (question.mention != "named" && question.asks != Asks::kNothing) rows.emplace_back("pronoun");
  return rows;
}

std::string cell(double value, bool shown) {
  return shown ? fmt::format("{:>9.1f}", value) : fmt::format("{:>9}", "-");
}

// What one batch of questions adds to an evaluation.
struct AnsweredBatch {
  std::vector<QuestionOutcome> outcomes;
  std::vector<LinkRank> link_ranks;
  std::int64_t unknown = 0;
  std::map<std::string, Sums> sums;
};

void to_json(Json& json, const AnsweredBatch& batch) {
  json = {{"outcomes", batch.outcomes},
          {"link_ranks", batch.link_ranks},
          {"unknown", batch.unknown},
          {"sums", batch.sums}};
}

void from_json(const Json& json, AnsweredBatch& batch) {
  json.at("outcomes").get_to(batch.outcomes);
  json.at("link_ranks").get_to(batch.link_ranks);
  json.at("unknown").get_to(batch.unknown);
  json.at("sums").get_to(batch.sums);
}

AnsweredBatch answered_batch(const WalkModel& model, std::span<const QuestionTurn> questions, bool given,
                             const AnswerConfig& config) {
  AnsweredBatch batch;
  std::vector<Example> examples;
  std::vector<Judged> judged;
  std::vector<std::optional<EntityId>> claims;
  for (const QuestionTurn& question : questions) {
    Judged& now = judged.emplace_back(&question);
    now.known = question.start.empty() || model.graph().find_entity(question.start).has_value();
    if (now.known) {
      examples.push_back(example_of(question, model.graph()));
    } else {
      examples.emplace_back().context = chats_of(question.turns);
      ++batch.unknown;
    }
    for (const std::string& answer : question.answers)
      if (const auto entity = model.graph().find_entity(answer)) now.right.insert(*entity);
    claims.emplace_back();
    if (!question.claim.empty()) claims.back() = graph::entity_named(model.graph(), question.claim, "claim");
    if (!given) choose(model, examples.back(), claims.back(), now);
  }
  std::vector<Answer> answers = answer(model, examples, claims, config);
  if (answers.empty())
    throw ConfigError("the walker does not listen (listen.on): it has no answers to questions");
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (!judged[i].known) answers[i].entities.clear();  // counts as wrong
  for (std::size_t i = 0; i < answers.size(); ++i) {
    batch.outcomes.push_back(outcome_of(model.graph(), judged[i], examples[i].start, answers[i]));
    add_link_ranks(model.graph(), judged[i], answers[i], batch.link_ranks);
    for (const std::string& row : rows_of(*judged[i].question)) judge(judged[i], answers[i], batch.sums[row]);
  }
  return batch;
}

}  // namespace

void to_json(Json& json, const QuestionOutcome& outcome) {
  json = {{"start found", outcome.start}, {"answered", outcome.answered}, {"heard", outcome.heard},
          {"asked", outcome.asked},       {"missing", outcome.missing},   {"listed", outcome.listed},
          {"right", outcome.right}};
}

void from_json(const Json& json, QuestionOutcome& outcome) {
  json.at("start found").get_to(outcome.start);
  json.at("answered").get_to(outcome.answered);
  json.at("heard").get_to(outcome.heard);
  json.at("asked").get_to(outcome.asked);
  json.at("missing").get_to(outcome.missing);
  json.at("listed").get_to(outcome.listed);
  json.at("right").get_to(outcome.right);
}

QuestionEvaluation evaluate_questions(const WalkModel& model, std::span<const QuestionTurn> questions,
                                      bool given, const AnswerConfig& config, Reporter& reporter,
                                      const StopFlag& stop, ShardedWork* work) {
  ShardedWork alone;
  if (work == nullptr) work = &alone;
  std::map<std::string, Sums> sums;
  QuestionEvaluation evaluation;
  const auto progress = reporter.start("questions", static_cast<std::int64_t>(questions.size()), "questions");
  ProcessorShare share;
  for (std::size_t begin = 0; begin < questions.size(); begin += kBatch) {
    if (stop.requested()) throw Stopped("the evaluation was interrupted; nothing was written");
    share.update();
    const auto asked = questions.subspan(begin, std::min(kBatch, questions.size() - begin));
    const auto batch = work->unit<AnsweredBatch>([&] { return answered_batch(model, asked, given, config); });
    progress->add(static_cast<std::int64_t>(asked.size()));
    if (!batch) continue;
    const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(evaluation.outcomes, batch->outcomes);
    append(evaluation.link_ranks, batch->link_ranks);
    evaluation.unknown += batch->unknown;
    for (const auto& [row, sum] : batch->sums) sums[row] += sum;
  }
  for (const auto& [name, sum] : sums) evaluation.rows[name] = row_of(sum);
  return evaluation;
}

Json QuestionRow::to_json() const {
  Json json = {{"count", count}, {"act", act}, {"start", start}, {"first", first}, {"first3", first3}};
  if (lists > 0) json.update({{"lists", lists}, {"list_precision", list_precision}, {"list_f1", list_f1}});
  if (claims > 0) json.update({{"claims", claims}, {"verified", verified}});
  if (absent > 0) json.update({{"absent", absent}, {"absence_told", absence_told}});
  if (answerable > 0) json.update({{"answerable", answerable}, {"refused", refused}});
  return json;
}

Json QuestionEvaluation::to_json() const {
  Json json = Json::object();
  for (const auto& [name, row] : rows) json[name] = row.to_json();
  return json;
}

std::string QuestionEvaluation::to_text() const {
  std::string text =
      fmt::format("{:<18}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "percent", "number", "first",
                  "first 3", "list@n", "list F1", "yes/no", "absent", "refused", "asked", "start");
  for (const auto& [name, row] : rows) {
    const bool ranked = row.answerable > row.claims;
    text += fmt::format("{:<18}{:>7}", name, row.count) + cell(row.first, ranked) + cell(row.first3, ranked) +
            cell(row.list_precision, row.lists > 0) + cell(row.list_f1, row.lists > 0) +
            cell(row.verified, row.claims > 0) + cell(row.absence_told, row.absent > 0) +
            cell(row.refused, row.answerable > 0) + cell(row.act, true) + cell(row.start, true) + "\n";
  }
  if (unknown > 0)
    text +=
        fmt::format("{} questions ask about what the graph does not have; they count as wrong\n", unknown);
  return text;
}

}  // namespace kgwalk::walker
