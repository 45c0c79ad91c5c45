// evaluate_conversations(): an exam of whole conversations, held with the model itself.
#include <fmt/format.h>

#include "kgwalk/conversation.h"
#include "kgwalk/error.h"
#include "kgwalk/evaluation.h"
#include "kgwalk/guide.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/planner.h"
#include "planner/exam/exam.h"
#include "runtime/files.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

std::string turns_of(const ExamReport& report) {
  std::string text;
  for (const std::vector<HeldTurn>& conversation : report.conversations) {
    text += "---\n";
    for (const HeldTurn& held : conversation) {
      const char* verdict = held.turn.kind.empty() ? "   " : held.right ? "ok " : "NO ";
      text += fmt::format("{} {}{}{} -> {}\n", verdict, held.turn.kind, held.turn.kind.empty() ? "" : " | ",
                          held.turn.say, held.said);
    }
  }
  return text;
}

Conversation open_examined(EvaluateConversationsOptions of, Reporter& reporter, const StopFlag& stop) {
  if (!of.packed.empty()) {
    const PackedModel packed = PackedModel::open(of.packed, reporter, stop);
    for (const auto& [given, known] : {std::pair(&of.database, &packed.database),
                                       {&of.run, &packed.run},
                                       {&of.text, &packed.text},
                                       {&of.simulator, &packed.simulator},
                                       {&of.responder, &packed.responder}})
      if (given->empty()) *given = *known;
  }
  if (of.database.empty() || of.run.empty())
    throw ConfigError("conversations need a packed model, or a database and a run");
  ConversationOptions options;
  options.seed = of.seed;
  options.responder = of.responder;
  options.simulator = of.simulator;
  options.text = of.text;
  options.other_graph = of.other_graph;
  options.listener = of.listener;
  return Conversation::open(of.database, of.run, options);
}

}  // namespace

ConversationsEvaluated evaluate_conversations(const EvaluateConversationsOptions& options, Reporter& reporter,
                                              const StopFlag& stop) {
  const Exam exam = read_exam(options.exam);
  const Conversation conversation = open_examined(options, reporter, stop);
  ShardedWork work(options.shards);
  work.rests_on("graph", conversation.guide().planner().graph().checksum());
  const ExamReport held = hold_exam(conversation, exam, options.seed, reporter, stop, &work);
  ConversationsEvaluated result;
  if (work.is_part() && stop.requested()) throw Stopped(options.shards.part.string() + ": was not written");
  if (told_as_shard(work, result)) return result;
  if (options.show) result.text = turns_of(held);
  result.text += held.to_text();
  result.json = held.to_json();
  for (const ExamReport::Kind& kind : held.kinds())
    result.kinds.push_back({kind.name, kind.right, kind.turns});
  result.conversations = held.conversations.size();
  result.asked_for = exam.size();
  if (!options.log.empty()) write_file_atomically(options.log, held.to_markdown());
  return result;
}

}  // namespace kgwalk
