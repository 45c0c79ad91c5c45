#include "planner/conversation/self_play.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "dialogue/response/response_model.h"
#include "dialogue/response/templates.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"
#include "rl/simulator/worded_user.h"
#include "rl/training/run.h"
#include "runtime/sharded_work.h"
#include "runtime/stopwatch.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr int kMostDialogues = 1000000;

void check(const SelfPlayOptions& options) {
  Problems problems;
  if (options.dialogues < 1 || options.dialogues > kMostDialogues)
    problems.add("dialogues", "must be from 1 to " + std::to_string(kMostDialogues));
  if (options.turns < 1 || options.turns > kMaxTurns)
    problems.add("turns", "must be from 1 to " + std::to_string(kMaxTurns));
  if (options.distances.empty()) problems.add("distances", "are missing");
  if (std::any_of(options.distances.begin(), options.distances.end(), [](int d) { return d < 1; }))
    problems.add("distances", "must be 1 or more");
  problems.throw_if_any("self-play");
}

}  // namespace

SelfPlay::SelfPlay(SelfPlayOptions options, std::shared_ptr<const Guide> guide, Talk talk,
                   dialogue::OrdinaryNames ordinary)
    : options_(std::move(options)), guide_(std::move(guide)), talk_(std::move(talk)) {
  const graph::KnowledgeGraph& graph = guide_->planner().graph();
  questions_ = std::make_unique<const rl::UserQuestions>(graph);
  checker_ = std::make_unique<const dialogue::NameChecker>(graph, std::move(ordinary));
  names_ = std::make_unique<const dialogue::NameIndex>(graph);
}

SelfPlay SelfPlay::open(const SelfPlayOptions& given) {
  check(given);
  SelfPlayOptions options = given;
  if (options.conversation.simulator.empty()) options.conversation.simulator = rl::kWordings;
  const ConversationOptions& conversation = options.conversation;
  auto guide = std::make_shared<const Guide>(Guide::open({.database = options.database,
                                                          .run = options.run,
                                                          .simulator = conversation.simulator,
                                                          .text = conversation.text,
                                                          .other_graph = conversation.other_graph}));
  if (guide->planner().stage() == Planner::Stage::kOne)
    throw ConfigError("this walker is of stage 1: it knows no goals and cannot lead to one",
                      Remedy{Remedy::kTrain, std::string(rl::kAgentRun.command)});
  const graph::KnowledgeGraph& graph = guide->planner().graph();
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  auto linker = std::make_shared<const dialogue::EntityLinker>(dialogue::EntityLinker::open(store, graph));
  Talk talk(
      guide, std::move(linker), conversation, responder_of(options.database, conversation, guide),
      Answerer::open_for(graph, options.run, conversation.listener, conversation.text, {}, options.database));
  return SelfPlay(std::move(options), std::move(guide), std::move(talk),
                  dialogue::ordinary_names_of(store, graph));
}

// Every distance as often as another, as far as there are goals.
std::vector<rl::Pair> SelfPlay::pairs() const {
  const auto kinds = options_.distances.size();
  const auto wanted = static_cast<std::size_t>(options_.dialogues);
  const rl::PairSample sample =
      rl::sample_pairs(guide_->planner().graph(), rl::goal_split_named(options_.goals), options_.distances,
                       static_cast<int>((wanted + kinds - 1) / kinds), options_.seed);
  std::vector<rl::Pair> pairs;
  for (std::size_t i = 0; pairs.size() < wanted; ++i) {
    const std::size_t before = pairs.size();
    for (const std::vector<rl::Pair>& list : sample.pairs)
      if (i < list.size() && pairs.size() < wanted) pairs.push_back(list[i]);
    if (pairs.size() == before) break;
  }
  if (pairs.empty())
    throw ConfigError("no goal of the split '" + options_.goals + "' has a start at these distances");
  return pairs;
}

void SelfPlay::ask(SelfPlayTurn& turn, EntityId about, std::vector<EntityId>& right) const {
  const dialogue::Topic* asked = questions_->asked(turn.user);
  if (asked == nullptr) return;
  turn.asked = asked->names.front();
  right = questions_->answers(about, *asked);
  turn.answerable = !right.empty();
}

void SelfPlay::judge(SelfPlayTurn& turn, Talk& talk, const std::vector<EntityId>& right) const {
  std::optional<dialogue::Message> message = talk.take_message();
  const Json last = talk.transcript().at("turns").back();
  const std::string answer = last.value("answer", "");
  if (answer.empty()) return;
  if (message) {
    // Of a long list the first names are said, the others counted.
    message->ways.resize(std::min(message->ways.size(), dialogue::kMostNamesSaid));
    const dialogue::NameVerdict verdict = checker_->check(answer, *message);
    turn.named = static_cast<int>(verdict.named.size());
    turn.names = turn.named + static_cast<int>(verdict.missing.size());
    turn.wrong = verdict.wrong;
    turn.written = std::any_of(turn.wrong.begin(), turn.wrong.end(), [&](const std::string& name) {
      return answer.find(dialogue::plain_name(name)) != std::string::npos;
    });
  } else if (!last.contains("form")) {
    return;
  }
  const std::vector<EntityId> said = names_->mentions(names_->encode(answer));
  turn.answered = std::any_of(right.begin(), right.end(), [&](EntityId entity) {
    return std::binary_search(said.begin(), said.end(), entity);
  });
}

SelfPlayTurn SelfPlay::turn(Talk& talk, EntityId goal, Random& random) const {
  SelfPlayTurn turn;
  const walker::Example* const situations[] = {&talk.situation()};
  turn.user = guide_->core().user().speak(situations, random).front();
  std::vector<EntityId> right;
  ask(turn, talk.situation().start, right);
  const Stopwatch watch;
  (void)talk.hear(turn.user);
  turn.ms = 1000 * watch.seconds();
  turn.assistant = talk.take_said();
  const Json last = talk.transcript().at("turns").back();
  turn.from = last.value("from", "");
  turn.path = last.value("path", Json::array());
  judge(turn, talk, right);
  turn.left = guide_->core().distances().distance(talk.situation().start, goal);
  return turn;
}

SelfPlayDialogue SelfPlay::play(const rl::Pair& pair, std::uint64_t seed) const {
  const graph::KnowledgeGraph& graph = guide_->planner().graph();
  SelfPlayDialogue dialogue{std::string(graph.entity_name(pair.start)),
                            std::string(graph.entity_name(pair.goal)), pair.distance};
  Talk talk = talk_.another(seed);
  talk.begin(pair.start, pair.goal);
  Random random(seed, 43);
  for (int i = 0; i < options_.turns && !dialogue.reached; ++i) {
    dialogue.turns.push_back(turn(talk, pair.goal, random));
    // The talk lets go of a goal that it has come to.
    dialogue.reached = !talk.situation().goal.has_value();
  }
  return dialogue;
}

SelfPlayReport SelfPlay::run(Reporter& reporter, const StopFlag& stop, ShardedWork* work) const {
  ShardedWork alone;
  if (work == nullptr) work = &alone;
  work->rests_on("graph", guide_->planner().graph().checksum());
  const std::vector<rl::Pair> pairs = this->pairs();
  std::vector<std::optional<SelfPlayDialogue>> held(pairs.size());
  const auto progress = reporter.start("self-play", static_cast<std::int64_t>(pairs.size()), "dialogues");
  std::exception_ptr failure;
  std::mutex mutex;
  const Stopwatch watch;
  const std::int64_t first = work->take(static_cast<std::int64_t>(pairs.size()));
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (stop.requested()) continue;
    try {
      held[i] = work->unit<SelfPlayDialogue>(first + static_cast<std::int64_t>(i),
                                             [&] { return play(pairs[i], options_.seed * 1000003 + i); });
      progress->add(1);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  SelfPlayReport report{{}, static_cast<int>(pairs.size()), watch.seconds(), num_threads()};
  for (std::optional<SelfPlayDialogue>& dialogue : held)
    if (dialogue) report.dialogues.push_back(std::move(*dialogue));
  return report;
}

}  // namespace kgwalk
