#include "kgwalk/conversation.h"

#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/planner.h"
#include "kgwalk/retrieve.h"
#include "kgwalk/store.h"
#include "planner/conversation/commands.h"
#include "planner/conversation/talk.h"
#include "planner/conversation/typed.h"

namespace kgwalk {
namespace {

// What comes of a line, and what the assistant said to it.
Conversation::Reply reply_of(Talk& talk, std::string text) {
  Conversation::Reply reply{std::move(text), talk.take_said(), false};
  return reply;
}

}  // namespace

Conversation::Conversation(std::unique_ptr<Talk> talk) : talk_(std::move(talk)) {}
Conversation::Conversation(Conversation&&) noexcept = default;
Conversation& Conversation::operator=(Conversation&&) noexcept = default;
Conversation::~Conversation() = default;

Conversation Conversation::open(const std::filesystem::path& database, const std::filesystem::path& run,
                                const ConversationOptions& options) {
  auto guide = std::make_shared<const Guide>(Guide::open({.database = database,
                                                          .run = run,
                                                          .simulator = options.simulator,
                                                          .text = options.text,
                                                          .other_graph = options.other_graph}));
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  auto linker = std::make_shared<const dialogue::EntityLinker>(
      dialogue::EntityLinker::open(store, guide->planner().graph()));
  auto responder = responder_of(database, options, guide);
  auto answerer = Answerer::open_for(guide->planner().graph(), run, options.listener, options.text,
                                     options.hear, database);
  return Conversation(std::make_unique<Talk>(std::move(guide), std::move(linker), options,
                                             std::move(responder), std::move(answerer)));
}

Conversation Conversation::open(const std::filesystem::path& database, const std::filesystem::path& run) {
  return open(database, run, ConversationOptions{});
}

Conversation Conversation::another(std::uint64_t seed) const {
  return Conversation(std::make_unique<Talk>(talk_->another(seed)));
}

Conversation::Reply Conversation::answer(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {};
  if (line == "/quit" || line == "/exit") return {.over = true};
  try {
    if (line == "/forget") return {.text = talk_->forget(), .forgotten = true};
    if (line.front() == '/') return reply_of(*talk_, run_command(*talk_, line));
    if (const auto number = number_of(line); number && talk_->offers())
      return reply_of(*talk_, talk_->choose(*number));
    return reply_of(*talk_, talk_->hear(line));
  } catch (const ConfigError& error) {
    return {.text = std::string(error.what()) + "\n"};
  }
}

std::string Conversation::welcome() const { return talk_->welcome(); }

Json Conversation::transcript() const { return talk_->transcript(); }

Standing Conversation::standing() const { return talk_->standing(); }

Conversation::Reply Conversation::take(const NamedHop& hop) {
  return reply_of(*talk_, talk_->take_weighed(hop));
}

Json Conversation::memory() const { return talk_->memory(); }

void Conversation::recall(const Json& memory) { talk_->recall(memory); }

const Guide& Conversation::guide() const { return talk_->guide(); }

Retriever Conversation::retriever() const { return talk_->retriever(); }

}  // namespace kgwalk
