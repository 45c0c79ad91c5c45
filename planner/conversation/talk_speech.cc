// What the assistant says in a talk.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dialogue/response/response_model.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"
#include "kgwalk/store.h"
#include "planner/conversation/talk.h"
#include "planner/plan_message.h"
#include "planner/remote/phraser.h"
#include "runtime/stopwatch.h"

namespace kgwalk {

namespace {

// What the assistant itself says.
Responder speaker_of(const std::filesystem::path& database, const ConversationOptions& options) {
  if (options.speak == Speech::kTemplates) return Responder::by_wordings();
  if (options.responder.empty())
    throw ConfigError("the assistant is to speak by a response model, but no run of one is given");
  return Responder::open(database, options.responder);
}

}  // namespace

std::shared_ptr<const Responder> responder_of(const std::filesystem::path& database,
                                              const ConversationOptions& options,
                                              const std::shared_ptr<const Guide>& guide) {
  const bool phrased = !options.phrase.url.empty();
  if (options.speak == Speech::kNone) {
    if (phrased) throw ConfigError("a language model is to phrase what the assistant says, which is nothing");
    return nullptr;
  }
  Responder speaker = speaker_of(database, options);
  if (!phrased) return std::make_shared<const Responder>(std::move(speaker));
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const std::shared_ptr<const graph::KnowledgeGraph> graph(guide, &guide->planner().graph());
  return std::make_shared<const Responder>(std::make_unique<const Phraser>(
      options.phrase, std::move(speaker).voice(), graph, dialogue::ordinary_names_of(store, *graph)));
}

// What it says of the graph becomes part of what was said; what it asks back does not: that names what may
// not have been meant.
std::string Talk::speak(State& state, const Plan& plan, std::size_t path) {
  if (!responder_) return "";
  Plan heard = plan;
  for (const graph::Chat& chat : state.situation.context)
    heard.request.history.push_back(
        {chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  message_ = message_of(heard, path);
  const Stopwatch watch;
  std::string sentence = responder_->say(heard, path);
  Json& turn = state.turns.back();
  turn["answer"] = sentence;
  turn["spoken_ms"] = 1000 * watch.seconds();
  state.situation.context.push_back({graph::Speaker::kAssistant, sentence});
  if (!question_.empty()) sentence.append(" ").append(std::exchange(question_, {}));
  said_ = std::move(sentence);
  return fmt::format("assistant: {}\n", said_);
}

// A question without an answer before it.
std::string Talk::ask_back() {
  if (question_.empty()) return "";
  said_ = std::exchange(question_, {});
  return fmt::format("assistant: {}\n", said_);
}

void Talk::ask_which(const std::string& mention, const std::vector<graph::EntityId>& entities) {
  if (!responder_) return;
  std::vector<std::string> names;
  for (const graph::EntityId entity : entities)
    if (names.size() < kOffered) names.push_back(name(entity));
  question_ = Responder::ask_which(mention, names, earlier_.size());
}

}  // namespace kgwalk
