// make_questions(): question turns to learn from and to measure by.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dialogue/questions/generate.h"
#include "dialogue/questions/readers.h"
#include "dialogue/questions/remarks.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "kgwalk/training.h"
#include "workflows/configured.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

dialogue::Bank bank_of(const MakeQuestionsOptions& options) {
  return options.bank.empty() ? dialogue::builtin_bank() : dialogue::read_bank(options.bank);
}

// Questions that one generator makes; the next ones have one of their own, so that shards can make them.
constexpr int kQuestionsAUnit = 65536;
constexpr std::uint64_t kSeedsBetweenUnits = 1000003;

std::vector<dialogue::QuestionTurn> questions_about_graph(const MakeQuestionsOptions& options,
                                                          dialogue::GenerateConfig config,
                                                          ShardedWork& work) {
  if (options.count > 0) config.count = options.count;
  if (!options.split.empty()) config.split = options.split;
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::vector<graph::Dialogue> dialogues;
  for (const std::string& split : store.splits()) {
    if (!split.starts_with("train")) continue;
    for (graph::Dialogue& dialogue : store.dialogues(split)) dialogues.push_back(std::move(dialogue));
  }
  const std::vector<std::string> remarks = dialogue::remarks_of(dialogues);
  const dialogue::Bank bank = bank_of(options);
  work.rests_on("graph", graph.checksum());
  std::vector<dialogue::QuestionTurn> questions;
  std::uint64_t seed = options.seed;
  for (int left = config.count; left > 0; left -= kQuestionsAUnit, seed += kSeedsBetweenUnits) {
    config.count = std::min(left, kQuestionsAUnit);
    const auto made = work.unit<std::vector<dialogue::QuestionTurn>>(
        [&] { return dialogue::generate_questions(graph, bank, config, seed, remarks); });
    if (made) questions.insert(questions.end(), made->begin(), made->end());
  }
  return questions;
}

std::vector<dialogue::QuestionTurn> simple_questions(const MakeQuestionsOptions& options,
                                                     const dialogue::GenerateConfig& config,
                                                     std::string& text) {
  std::vector<dialogue::QuestionTurn> questions = dialogue::read_simplequestions(options.simplequestions);
  if (!options.without_held) return questions;
  const dialogue::Bank bank = bank_of(options);
  const std::size_t left = leave_out(questions, bank, dialogue::held_back(bank, config.held_families));
  text += fmt::format("{} questions for relations that are kept back were left out\n", left);
  return questions;
}

std::vector<dialogue::QuestionTurn> question_turns(const MakeQuestionsOptions& options, ShardedWork& work,
                                                   std::string& text) {
  const int sources = (options.database.empty() ? 0 : 1) + (options.simplequestions.empty() ? 0 : 1) +
                      (options.metaqa.empty() ? 0 : 1);
  if (sources != 1)
    throw ConfigError("questions need one source: a database, a file of SimpleQuestions or one of MetaQA");
  refuse_preset(options.settings, "the making of questions");
  const auto config = with_values(options.settings, dialogue::GenerateConfig{});
  if (!options.simplequestions.empty()) return simple_questions(options, config, text);
  if (!options.metaqa.empty())
    return dialogue::read_metaqa(options.metaqa, options.hops, options.path_labels);
  return questions_about_graph(options, config, work);
}

std::string kind_of(const dialogue::QuestionTurn& question) {
  std::string kind(dialogue::name_of(question.asks));
  if (question.hops > 1) kind.append(" of ").append(std::to_string(question.hops)).append(" hops");
  return kind;
}

}  // namespace

QuestionsMade make_questions(const MakeQuestionsOptions& options, Reporter& /*reporter*/,
                             const StopFlag& stop) {
  QuestionsMade made;
  if (options.database.empty() && is_sharded(options.shards))
    throw ConfigError(
        "shards make questions about the graph of a database; files of questions are read as a whole");
  ShardedWork work(options.shards);
  const std::vector<dialogue::QuestionTurn> questions = question_turns(options, work, made.text);
  if (told_as_shard(work, made)) return made;
  if (stop.requested()) throw Stopped(options.out.string() + ": no questions were written");
  dialogue::write_questions(options.out, questions);
  made.questions = questions.size();
  made.json = {{"questions", questions.size()}, {"out", options.out.string()}};
  std::map<std::string, std::int64_t> kinds;
  for (const dialogue::QuestionTurn& question : questions) ++kinds[kind_of(question)];
  for (const auto& [kind, count] : kinds) {
    made.text += fmt::format("{:<16} {:>8}\n", kind, count);
    made.json["kinds"][kind] = count;
  }
  for (std::size_t i = 0; i < std::min(questions.size(), options.shown); ++i) {
    std::string line;
    for (const std::string& turn : questions[i].turns) line.append(line.empty() ? "" : " / ").append(turn);
    made.text += "  " + line + "\n";
  }
  made.text += fmt::format("{} questions in {}\n", questions.size(), options.out.string());
  return made;
}

}  // namespace kgwalk
