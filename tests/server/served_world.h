// A server's parts over the graph of tests/planner/talk_world.h.
#pragma once

#include <memory>
#include <string>

#include "planner/conversation/talk.h"
#include "server/http/message.h"
#include "server/state/model_shelf.h"
#include "tests/planner/talk_world.h"

namespace kgwalk::testing {

inline Conversation talk_conversation(
    const std::shared_ptr<const graph::KnowledgeGraph>& graph = talk_graph()) {
  auto guide = std::make_shared<const Guide>(compass_guide(Planner::Stage::kTwo, graph));
  auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  return Conversation(std::make_unique<Talk>(std::move(guide), std::move(linker), ConversationOptions{}));
}

inline std::shared_ptr<const server::Model> talk_model(const server::ModelSource& source) {
  return std::make_shared<const server::Model>(source, talk_conversation());
}

inline std::vector<server::ModelSource> sources(std::initializer_list<const char*> names) {
  std::vector<server::ModelSource> out;
  for (const char* name : names) out.push_back({.name = name});
  return out;
}

inline server::Request request(const std::string& method, const std::string& target,
                               const Json& body = nullptr) {
  server::Request out;
  out.method = method;
  out.headers["host"] = "127.0.0.1";
  (void)server::set_target(out, target);
  if (!body.is_null()) out.body = body.dump();
  return out;
}

// Keeps what is written.
class KeptSink : public server::Sink {
 public:
  bool send(std::string bytes) override {
    text += bytes;
    return !gone;
  }
  std::string text;
  bool gone = false;
};

inline std::string streamed(const server::Response& response) {
  const auto sink = std::make_shared<KeptSink>();
  response.stream(sink);
  return sink->text;
}

}  // namespace kgwalk::testing
