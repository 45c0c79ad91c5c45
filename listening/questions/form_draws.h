// Forms drawn from a graph with the question that asks for each. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kgwalk/query.h"
#include "listening/candidates/question.h"
#include "listening/questions/graph_draws.h"
#include "listening/questions/question_config.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {

struct DrawnForm {
  FormQuestion question;           // its text not yet typed
  forms::Query form;               // of which the answers are
  std::vector<std::string> names;  // as they are said in it
};

inline constexpr std::uint64_t kMostVisits = 300'000;  // of a form that a question is drawn for

// The kind of the questions about nothing that is named.
inline constexpr const char* kOfAType = "of a type";

// Borrows what it is made of.
class FormDraws {
 public:
  FormDraws(const Lexicon& lexicon, const forms::Engine& engine, const QuestionConfig& config,
            Random& random);

  // Draws a form of a kind drawn by the shares; nothing where what was drawn cannot be asked. Given `about`,
  // it asks about that entity, which stands in the text as kTopic, and named leaves out nothing.
  [[nodiscard]] std::optional<DrawnForm> draw(std::optional<graph::EntityId> about = {});
  // About nothing that was spoken of: half of the time all of a type, the first of them, how many.
  [[nodiscard]] std::optional<DrawnForm> draw_anew();
  // One hop from the entity, named or (topic) not.
  [[nodiscard]] std::optional<DrawnForm> draw_one_from(graph::EntityId from, graph::RelationId relation,
                                                       bool topic);

  // Who played a part in the topic, or in some work; nothing where nobody plays in it.
  [[nodiscard]] std::optional<DrawnForm> draw_of_role(std::optional<graph::EntityId> topic = {});

  // A work that somebody plays in.
  [[nodiscard]] std::optional<graph::EntityId> some_played();

  // Whether a relation that leads to the kind of the other joins both; the topic stands as its place.
  [[nodiscard]] std::optional<DrawnForm> draw_check_between(graph::EntityId topic, graph::EntityId other);
  [[nodiscard]] std::optional<DrawnForm> draw_value_check_of(graph::EntityId topic);  // "is it from 1992"
  // Whether something is so of the topic: "is Y in it".
  [[nodiscard]] std::optional<DrawnForm> draw_check_of(graph::EntityId topic);
  // Whether the same relation holds of one end and something else, which alone stands among the names.
  [[nodiscard]] std::optional<DrawnForm> draw_check_beside(const graph::Triple& checked);

  // Which of two, or whether the one is more: the topic and another that a value is known of too.
  [[nodiscard]] std::optional<DrawnForm> draw_compared_of(graph::EntityId topic);

  // Those that the topic leads to, filtered by a value.
  [[nodiscard]] std::optional<DrawnForm> draw_filter_of_topic(graph::EntityId topic);
  // The same question, filtered, with another value, which alone is said: "and in 2001".
  [[nodiscard]] std::optional<DrawnForm> draw_other_value(const DrawnForm& before);

  // About the answers of before, two or more, which were told or (counted) only counted.
  [[nodiscard]] std::optional<DrawnForm> draw_of_those(const EntitySet& those, bool counted);
  // What the relation leads to from both.
  [[nodiscard]] std::optional<DrawnForm> draw_common_of(graph::EntityId a, graph::EntityId b,
                                                        graph::RelationId relation);

  // What the topic lacks and another thing of its kind has, `relation`, asked of the topic.
  [[nodiscard]] std::optional<DrawnForm> draw_lacking(graph::EntityId topic, graph::EntityId other,
                                                      graph::RelationId relation);
  // Without an answer in the graph; about that entity, or any.
  [[nodiscard]] std::optional<DrawnForm> draw_unsaid(std::optional<graph::EntityId> about = {});

  [[nodiscard]] const GraphDraws& graph_draws() const noexcept { return draws_; }
  [[nodiscard]] Wording& wording() noexcept { return wording_; }

 private:
  using Drawn = std::optional<DrawnForm>;
  struct Step {  // a relation, either way, from an entity that is no value
    graph::EntityId from = 0;
    graph::RelationId relation = 0;
    EntitySet reached;
  };
  struct Meeting {  // two ways to one answer, from two entities
    Step a, b;
  };
  struct Measured {  // a set that is ordered or filtered, by a measure that one of its members has
    Step set;
    graph::RelationId by = 0;
    graph::EntityId value = 0;  // of that member
    const dialogue::MeasureWords* words = nullptr;
    bool time = false;
  };
  struct Limit {  // a condition with its words
    forms::Condition condition;
    std::string after;   // " after 2005", " over 100 m"
    std::string from;    // of times: " from after 2005", " from 2005"
    std::string year;    // "2005" where it must be equal to a year
    std::string phrase;  // " with a height over 100 m"; of times the same
    bool more = false, less = false;
  };
  struct Pair {  // two that have a value of one relation
    graph::EntityId a = 0, b = 0;
    graph::RelationId by = 0;
    const dialogue::MeasureWords* words = nullptr;
    bool time = false;
  };
  struct Group {  // things that are ordered or limited: all of a type, or what something leads to
    forms::Set set;
    EntitySet members;
    std::string one, many;            // nouns
    std::string one_that, many_that;  // " that were directed by X"; empty of all of a type
    std::vector<graph::RelationId> relations;
    std::vector<graph::EntityId> named;
  };
  struct Typed {  // of a set those of a type
    std::optional<std::uint32_t> type;
    std::string noun;  // or empty
  };

  [[nodiscard]] std::size_t some_kind();  // by the shares
  [[nodiscard]] std::string said(graph::EntityId entity);
  [[nodiscard]] std::optional<Step> step(double forward);
  [[nodiscard]] std::optional<Step> step_from(graph::EntityId from, graph::RelationId relation);
  [[nodiscard]] std::optional<graph::RelationId> some_relation(graph::EntityId entity, bool values);
  [[nodiscard]] std::optional<Meeting> meeting();
  [[nodiscard]] std::optional<Measured> measured(std::size_t least);
  [[nodiscard]] std::optional<Pair> pair();
  [[nodiscard]] Typed take_type(EntitySet& set, double share);
  [[nodiscard]] bool is_said(const Typed& typed, const std::string& text) const;
  [[nodiscard]] forms::Set form_of_step(const Step& step, const Typed& typed = {}) const;
  [[nodiscard]] forms::Set with_type(forms::Set set, const Typed& typed) const;
  [[nodiscard]] DrawnForm made(std::string text, const char* kind, bool counted, EntitySet answers,
                               forms::Set set, std::vector<graph::RelationId> relations,
                               std::vector<graph::EntityId> named);
  [[nodiscard]] Drawn made_check(std::string text, const char* kind, forms::Query form,
                                 std::vector<graph::RelationId> relations,
                                 std::vector<graph::EntityId> named);
  [[nodiscard]] Drawn made_amount(std::string text, const char* kind, forms::Query form,
                                  std::vector<graph::RelationId> relations,
                                  std::vector<graph::EntityId> named);
  [[nodiscard]] Drawn made_of(std::string text, const char* kind, forms::Query form,
                              std::vector<graph::RelationId> relations, std::vector<graph::EntityId> named,
                              std::size_t most);
  [[nodiscard]] std::string asked(graph::RelationId relation, const std::string& x, const EntitySet& set,
                                  const std::string& type, bool counted);

  Drawn draw_one(bool counted);
  Drawn draw_two(bool counted);
  Drawn draw_skipping(bool counted);
  [[nodiscard]] bool leads_there(graph::EntityId entity, graph::RelationId relation,
                                 std::uint32_t type) const;
  Drawn draw_both(bool counted);
  Drawn draw_two_of_one();
  Drawn draw_check_of_meeting();
  Drawn draw_check_of_same();
  Drawn draw_by_order(const forms::Set& all, const EntitySet& members, const std::string& noun);
  Drawn draw_but();
  Drawn draw_check();
  Drawn draw_check_of_both();
  [[nodiscard]] std::optional<graph::RelationId> another_relation(const graph::Triple& fact);
  Drawn checked_fact(std::string text, const graph::Triple& fact);
  Drawn draw_flag_check(const graph::Triple& fact);
  Drawn draw_any_check(const graph::Triple& fact);
  Drawn draw_general_check(graph::EntityId thing, std::uint32_t type);
  Drawn draw_type_check();
  Drawn draw_what_it_is();
  Drawn draw_of_type();
  Drawn draw_flagged(const TypeWords& type);
  Drawn draw_flag_alone();
  Drawn draw_first_of_type(const forms::Set& all, const EntitySet& members, const std::string& noun);
  Drawn draw_most_of_type(const forms::Set& all, const EntitySet& members, const std::string& noun);
  Drawn draw_filter_of_type(const forms::Set& all, const EntitySet& members, const std::string& noun);
  Drawn draw_rest_of_type(const forms::Set& all, const EntitySet& members, const std::string& noun);
  Drawn draw_first();
  Drawn draw_first_by_count();
  [[nodiscard]] std::optional<Group> group();
  Drawn draw_ranked();
  Drawn draw_more_than_another();
  Drawn draw_filter_by_count();
  Drawn draw_ends();
  // Asks for those of the things that `hows` say, one of them, or how many they are.
  Drawn limited(const Group& things, forms::Set set, const std::vector<std::string>& hows,
                graph::RelationId by, const std::vector<graph::EntityId>& named);
  enum class LimitKind { kAt, kMore, kLess, kRange, kDecade };
  Drawn draw_filter();
  Drawn draw_filter(LimitKind kind);
  Drawn draw_compared(double which = 0.5);
  Drawn draw_compared_counts();
  Drawn draw_difference();
  [[nodiscard]] bool has_average(const Measured& drawn) const;
  Drawn draw_total();
  Drawn draw_total_of(const EntitySet& those);
  // Ways of asking for the sum or the average of a measure. `of`: " of the cities in X"; `they`: "the cities
  // in X"; `one`: a noun for one of them, or empty.
  [[nodiscard]] std::vector<std::string> total_wordings(const Measured& drawn, bool sum,
                                                        const std::string& of, const std::string& they,
                                                        const std::string& one);
  Drawn draw_same();
  Drawn draw_value_check();
  // What the topic has a value of, tried a few times.
  Drawn measured_of(graph::EntityId topic, Drawn (FormDraws::*some)());
  // Ways of asking whether `x`, the first of the pair, is within the limit, which was drawn last.
  std::vector<std::string> value_checks(const Pair& drawn, const Limit& limit, const std::string& x);
  Drawn draw_counted_of(const EntitySet& those);
  Drawn draw_listed_of(const EntitySet& those);
  Drawn draw_first_of(const EntitySet& those);
  Drawn draw_filter_of(const EntitySet& those);
  Drawn draw_joined_of(const EntitySet& those);
  Drawn draw_step_of(const EntitySet& those);
  Drawn draw_of_missing_family(graph::EntityId entity);
  Drawn draw_of_missing_measure(graph::EntityId entity);
  Drawn draw_of_missing_relation(graph::EntityId entity);
  Drawn draw_of_rare_attribute(graph::EntityId entity);
  Drawn draw_of_written_unsaid(graph::EntityId entity);
  [[nodiscard]] bool has_said(graph::EntityId entity, const std::vector<std::string>& words) const;
  [[nodiscard]] std::string beside(std::string text, const EntitySet& answers);
  [[nodiscard]] std::string loosely(const Step& step, const std::string& x);
  [[nodiscard]] std::string word_of_own(graph::EntityId entity);
  [[nodiscard]] std::string rare_word(const std::vector<std::string>& known);
  Drawn draw_of_unknown_name();
  [[nodiscard]] DrawnForm unsaid(std::string text, std::vector<graph::EntityId> named);
  [[nodiscard]] bool may_say(graph::EntityId entity, const Family& family) const;
  [[nodiscard]] bool may_answer(graph::EntityId entity, const std::string& text, const std::string& name,
                                EndKind asked) const;
  [[nodiscard]] std::string those_words();
  [[nodiscard]] bool take_measure(graph::EntityId member, Measured& out);
  [[nodiscard]] std::string joined(const Meeting& met, const std::string& x, const std::string& y,
                                   const std::string& t);
  [[nodiscard]] std::string order_word(const Measured& drawn, bool last);
  void set_range(std::int64_t year, bool decade, Limit& out);
  void set_phrase(graph::RelationId by, const std::string& shown, const dialogue::MeasureWords* words,
                  Limit& out);
  [[nodiscard]] LimitKind some_limit();
  // Lets the bound be less close than the value that it was, so that the value stays within.
  void set_away(const Limit& out, std::optional<std::int64_t> year, graph::TypedValue& bound);
  // Absent where it is no value. Of another kind where there is none of this kind for the value.
  [[nodiscard]] std::optional<Limit> limit(graph::RelationId by, graph::EntityId value, bool time,
                                           const dialogue::MeasureWords* words, LimitKind kind);

  GraphDraws draws_;
  const Lexicon& lexicon_;
  const graph::KnowledgeGraph& graph_;
  const forms::Engine& engine_;
  QuestionConfig config_;
  Random& random_;
  Wording wording_;
  std::optional<graph::EntityId> about_;
  std::vector<graph::RelationId> players_;  // relations that lead to those who play in a work
  std::vector<std::string> names_;          // as they are said in the question at hand
};

}  // namespace kgwalk::listening
