#include "kgwalk/responder.h"

#include <utility>

#include "dialogue/response/response_model.h"
#include "dialogue/response/templates.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/plan_message.h"

namespace kgwalk {

std::string Responder::put(const dialogue::Message& message, std::string draft) const {
  return voice_->put(message, std::move(draft));
}

Responder::Responder(std::unique_ptr<const dialogue::Voice> voice) : voice_(std::move(voice)) {}
Responder::Responder(Responder&&) noexcept = default;
Responder& Responder::operator=(Responder&&) noexcept = default;
Responder::~Responder() = default;

std::unique_ptr<const dialogue::Voice> Responder::voice() && { return std::move(voice_); }

Responder Responder::by_wordings() { return Responder(std::make_unique<const dialogue::TemplateSpeaker>()); }

Responder Responder::open(const std::filesystem::path& database, const std::filesystem::path& run) {
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  auto names =
      std::make_shared<const dialogue::ForbiddenNames>(graph, dialogue::ordinary_names_of(store, graph));
  return Responder(
      std::make_unique<const dialogue::ResponseModel>(dialogue::ResponseModel::open(run, std::move(names))));
}

std::string Responder::say(const Plan& plan, std::size_t path) const {
  return voice_->say(message_of(plan, path));
}

std::string Responder::ask_which(const std::string& name, const std::vector<std::string>& entities,
                                 std::size_t turn) {
  return dialogue::TemplateSpeaker().ask_which(name, entities, turn);
}

std::string Responder::ask_nearest(const std::vector<std::string>& entities, std::size_t turn) {
  return dialogue::TemplateSpeaker().ask_nearest(entities, turn);
}

std::string Responder::ask_anything(std::size_t turn) {
  return dialogue::TemplateSpeaker().ask_anything(turn);
}

}  // namespace kgwalk
