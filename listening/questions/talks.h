// Conversations of questions: a topic that is kept, pronouns, nouns, what is asked without naming it.
// Torch-free.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "listening/questions/form_draws.h"
#include "listening/questions/topic_words.h"

namespace kgwalk::listening {

// Borrows what it is made of.
class Talks {
 public:
  Talks(const Lexicon& lexicon, FormDraws& forms, const QuestionConfig& config, Random& random)
      : lexicon_(lexicon), forms_(forms), draws_(forms.graph_draws()), config_(config), random_(random) {}

  // A few questions about a topic, each typed, with what was said before it; empty where no topic was found.
  [[nodiscard]] std::vector<DrawnForm> conversation();

 private:
  static constexpr const char* kSpokenOf = "spoken of before";  // a kind of question
  struct State {
    SaidBefore before;
    graph::EntityId topic = 0;
    std::vector<graph::EntityId> last;  // answers that may be asked about
    DrawnForm last_asked;               // no answers: none
    std::vector<graph::EntityId> told;  // its answers, as they were told
    // Of two that it compared, the one that was not the answer, and the one that was.
    std::optional<std::pair<graph::EntityId, graph::EntityId>> left;
    std::optional<graph::EntityId> asked;  // by the last question of one hop, and
    graph::RelationId by = 0;              // its relation
    std::optional<graph::Triple> checked;
  };
  [[nodiscard]] std::optional<graph::EntityId> find_topic();
  [[nodiscard]] std::vector<graph::RelationId> askable(graph::EntityId entity) const;
  [[nodiscard]] graph::RelationId some_askable(const std::vector<graph::RelationId>& relations);
  [[nodiscard]] std::optional<DrawnForm> turn(State& state, bool first);
  [[nodiscard]] std::optional<DrawnForm> named_turn(graph::EntityId topic);
  [[nodiscard]] std::optional<DrawnForm> spoken_of_turn(graph::EntityId entity);
  [[nodiscard]] std::optional<DrawnForm> check_of_both(const State& state);
  [[nodiscard]] std::optional<DrawnForm> lacking_turn(const State& state);
  [[nodiscard]] std::optional<DrawnForm> turn_of_those(const State& state);
  [[nodiscard]] std::optional<DrawnForm> rest_of_before(const State& state);
  [[nodiscard]] std::optional<DrawnForm> common_of_two(const State& state);
  [[nodiscard]] std::optional<DrawnForm> one_of_two(const State& state);
  [[nodiscard]] std::optional<DrawnForm> one_by_place(const State& state);
  [[nodiscard]] std::optional<DrawnForm> same_of_another(const State& state);
  [[nodiscard]] std::optional<DrawnForm> check_of_another(const State& state);
  [[nodiscard]] std::optional<DrawnForm> more_of_answer(const State& state);
  [[nodiscard]] std::string part_of_name(graph::EntityId entity);
  [[nodiscard]] TopicWords words_for(graph::EntityId entity);
  [[nodiscard]] TopicWords name_of(graph::EntityId entity);
  [[nodiscard]] bool is_female(graph::EntityId entity) const;
  void remember(const DrawnForm& drawn, State& state);

  const Lexicon& lexicon_;
  FormDraws& forms_;
  const GraphDraws& draws_;
  QuestionConfig config_;
  Random& random_;
};

}  // namespace kgwalk::listening
