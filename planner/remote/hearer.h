// Has a language model hear a question as a form (kgwalk/forms.h): it is given the form's grammar and the
// names that were found, its form is checked, and the graph answers it. Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/query.h"
#include "kgwalk/typed_values.h"
#include "planner/remote/form_schema.h"
#include "planner/remote/model_client.h"

namespace kgwalk {

struct HearingAsked {
  std::string_view text;
  std::span<const graph::EntityId> mentioned = {};  // what the text may name, what was talked of too
  std::span<const graph::Chat> earlier = {};        // what was said before, the oldest first
};

enum class HearingOutcome : std::uint8_t {
  kHeard,     // a form of the graph, answered whole
  kNotAsked,  // the model says that nothing is asked of the graph
  kRefused,   // no form, one that names what was not found, or one that took too long to answer
  kFailed,    // no answer came: no connection, too late, not understood
};
constexpr auto choice_names(HearingOutcome) {
  return choices_in_order<HearingOutcome>("heard", "not asked", "refused", "failed");
}

struct HeardQuestion {
  HearingOutcome outcome = HearingOutcome::kFailed;
  forms::Query query = {};  // kHeard
  forms::Answer answer = {};
  std::vector<graph::EntityId> named = {};        // in the form, types aside
  std::vector<graph::RelationId> relations = {};  // of it
};

class Hearer {
 public:
  // ConfigError as ModelClient. The engine is borrowed.
  Hearer(ModelEndpoint endpoint, const forms::Engine& engine);

  // Never throws for the model's sake: where the outcome is not kHeard, others hear. Thread-safe.
  [[nodiscard]] HeardQuestion hear(const HearingAsked& asked) const;

  [[nodiscard]] const forms::Engine& engine() const { return engine_; }

 private:
  [[nodiscard]] FormNames names_for(std::span<const graph::EntityId> mentioned) const;

  ModelClient client_;
  const forms::Engine& engine_;
  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
  std::vector<graph::RelationId> usual_relations_;  // most facts first
  std::vector<graph::EntityId> usual_types_;        // likewise
};

}  // namespace kgwalk
