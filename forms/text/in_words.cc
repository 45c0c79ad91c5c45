#include <algorithm>

#include "forms/fitted.h"
#include "forms/form_check.h"
#include "forms/text/relation_phrases.h"
#include "graph/values/value_group.h"
#include "kgwalk/form_text.h"

namespace kgwalk::forms {
namespace {

constexpr const char* kThings = "things";

// "films", and what limits them: "directed by Nolan", "with release year after 2005".
struct Phrase {
  std::string head = kThings;
  std::vector<std::string> limits = {};

  [[nodiscard]] std::string text() const {
    std::string all = head;
    for (std::size_t i = 0; i < limits.size(); ++i) all += (i == 0 ? " " : ", ") + limits[i];
    return all;
  }
  // As a part of another phrase.
  [[nodiscard]] std::string inner() const { return limits.empty() ? head : "(" + text() + ")"; }
};

class Speaker {
 public:
  explicit Speaker(const graph::TypedValues& values) : values_(values), graph_(values.graph()) {}

  Phrase set(const Set& set) const {
    switch (set.kind) {
      case SetKind::kEntities:
        return {names(set.entities, "or")};
      case SetKind::kBefore:
        return {"answer " + std::to_string(set.before + 1) + " of before"};
      case SetKind::kStep:
        return step(set);
      case SetKind::kOfType:
        return {types(set.entities)};
      case SetKind::kHaving:
        return {kThings, {"with " + words(set.relations)}};
      case SetKind::kAnd:
        return all_of(set);
      case SetKind::kOr:
        return {listed(inner_parts(set), "or")};
      case SetKind::kBut: {
        if (const std::uint64_t place = place_of(set); place > 0) return ranked(set.parts.front(), place);
        Phrase phrase = this->set(set.parts.front());
        for (std::size_t i = 1; i < set.parts.size(); ++i)
          phrase.limits.push_back("but not " + this->set(set.parts[i]).inner());
        return phrase;
      }
      case SetKind::kWhere: {
        Phrase phrase = this->set(set.parts.front());
        const Condition condition = fitted(set.condition, set.relations, values_).condition;
        phrase.limits.push_back("with " + words(set.relations) + ' ' + condition_words(condition));
        return phrase;
      }
      case SetKind::kWhereCount: {
        Phrase phrase = this->set(set.parts.front());
        phrase.limits.push_back("with " + count_words(set.condition) + " of " + counted(set.measure));
        return phrase;
      }
      case SetKind::kFirst:
      case SetKind::kLast:
        return ranked(set);
    }
    return {};
  }

  std::string query(const Query& query) const {
    const std::string phrase = query.compared.empty() ? set(query.set).text() : std::string();
    const std::string by = query.measure.relations.empty() ? std::string() : measure(query.measure);
    switch (query.kind) {
      case QueryKind::kFind:
        return phrase;
      case QueryKind::kCount:
        return "how many " + phrase;
      case QueryKind::kSum:
        return "sum of " + by + " of " + phrase;
      case QueryKind::kAverage:
        return "average of " + by + " of " + phrase;
      case QueryKind::kWhich:
        return "which of " + listed(compared(query)) + " has the " + extreme(query.measure, query.greatest) +
               ' ' + by;
      case QueryKind::kWhether:
        return whether(query, by);
      case QueryKind::kDifference:
        return "by how much " + by + " of " + compared(query)[0] + " exceeds that of " + compared(query)[1];
      case QueryKind::kCheck:
        return check(query, phrase);
      case QueryKind::kRelations:
        return "relations from " + phrase + " to " + set(query.members.front()).text();
    }
    return {};
  }

 private:
  [[nodiscard]] std::string words(const Relations& relations) const {
    const std::string words = relation_words(relations, graph_);
    if (!is_backwards(relations, graph_)) return words;
    return ends_open(words) ? "things " + words + " it" : "things whose " + words + " it is";
  }

  [[nodiscard]] std::string names(const std::vector<EntityId>& ids, std::string_view last) const {
    if (ids.empty()) return "nothing";
    std::vector<std::string> texts;
    for (const EntityId id : ids) texts.push_back(values_.shown(id));
    return listed(texts, last);
  }

  [[nodiscard]] std::string types(const std::vector<EntityId>& ids) const {
    std::vector<std::string> texts;
    for (const EntityId id : ids) texts.push_back(plural_of(type_words(graph_.entity_name(id))));
    return listed(texts, "or");
  }

  [[nodiscard]] std::vector<std::string> inner_parts(const Set& set) const {
    std::vector<std::string> texts;
    for (const Set& part : set.parts) texts.push_back(this->set(part).inner());
    return texts;
  }

  [[nodiscard]] Phrase step(const Set& set) const {
    const std::string from = this->set(set.parts.front()).inner();
    const std::string relation = relation_words(set.relations, graph_);
    const bool open = ends_open(relation);
    Phrase phrase;
    if (is_backwards(set.relations, graph_))
      phrase.limits.push_back(open ? relation + ' ' + from : "whose " + relation + " is " + from);
    else
      phrase.head = open ? "what " + from + " is " + relation : relation + " of " + from;
    for (const Qualified& each : set.qualified) phrase.limits.push_back(qualified_words(each, values_));
    return phrase;
  }

  // What is not "things" gives the head; what limits things limits it.
  [[nodiscard]] Phrase all_of(const Set& set) const {
    Phrase all;
    for (const Set& part : set.parts) {
      const Phrase phrase = this->set(part);
      if (phrase.head != kThings && all.head == kThings) {
        all.head = phrase.head;
        all.limits.insert(all.limits.begin(), phrase.limits.begin(), phrase.limits.end());
      } else if (phrase.head == kThings) {
        all.limits.insert(all.limits.end(), phrase.limits.begin(), phrase.limits.end());
      } else {
        all.limits.push_back("among " + phrase.inner());
      }
    }
    return all;
  }

  [[nodiscard]] std::string counted(const Measure& measure) const {
    const std::string text = words(measure.relations);
    return measure.among.empty() ? text : text + " among " + set(measure.among.front()).inner();
  }

  [[nodiscard]] std::string measure(const Measure& measure) const {
    return measure.kind == MeasureKind::kCount ? "number of " + counted(measure) : words(measure.relations);
  }

  [[nodiscard]] std::string extreme(const Measure& measure, bool greatest) const {
    const bool time =
        measure.kind == MeasureKind::kValue && group_of(measure.relations, values_) == graph::kTimes;
    if (time) return greatest ? "latest" : "earliest";
    return greatest ? "greatest" : "least";
  }

  [[nodiscard]] Phrase ranked(const Set& set, std::uint64_t place = 0) const {
    const std::string extreme = this->extreme(set.measure, set.kind == SetKind::kLast);
    const std::string one = place > 0   ? "the one with the " + ordinal(place) + ' ' + extreme
                            : set.n > 1 ? "the " + std::to_string(set.n) + " with the " + extreme
                                        : "the one with the " + extreme;
    // Whatever has any of what is counted is told by that already.
    const Set& all = set.parts.front();
    const bool any = all.kind == SetKind::kHaving && set.measure.kind == MeasureKind::kCount &&
                     set.measure.among.empty() && all.relations == set.measure.relations;
    const std::string by = one + ' ' + measure(set.measure);
    return {any ? by : by + " of " + this->set(all).text()};
  }

  [[nodiscard]] std::vector<std::string> compared(const Query& query) const {
    std::vector<std::string> texts;
    for (const Set& each : query.compared) texts.push_back(set(each).inner());
    return texts;
  }

  [[nodiscard]] std::string whether(const Query& query, const std::string& by) const {
    const std::vector<std::string> both = compared(query);
    const bool time = extreme(query.measure, true) == "latest";
    const char* than = nullptr;
    switch (query.test) {
      case Comparison::kLess:
        than = time ? "earlier than" : "less than";
        break;
      case Comparison::kAtMost:
        than = time ? "no later than" : "at most";
        break;
      case Comparison::kEqual:
        than = "the same as";
        break;
      case Comparison::kNotEqual:
        than = "another than";
        break;
      case Comparison::kAtLeast:
        than = time ? "no earlier than" : "at least";
        break;
      case Comparison::kGreater:
        than = time ? "later than" : "greater than";
        break;
    }
    return "whether " + by + " of " + both[0] + " is " + than + " that of " + both[1];
  }

  [[nodiscard]] std::string check(const Query& query, const std::string& phrase) const {
    if (!query.members.empty()) {
      const Set& asked = query.members.front();
      const bool one = asked.kind == SetKind::kEntities && asked.entities.size() == 1;
      const std::string who =
          asked.kind == SetKind::kEntities ? names(asked.entities, "and") : set(asked).text();
      return "whether " + who + (one ? " is among " : " are all among ") + phrase;
    }
    return "whether there are " + (query.condition ? count_words(*query.condition) + ' ' : std::string()) +
           phrase;
  }

  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
};

std::string number_words(const Query& query, const Answer& answer) {
  const bool years = query.kind == QueryKind::kDifference && !answer.measured.empty() &&
                     answer.measured.front().value.kind == graph::ValueKind::kYear;
  return graph::shown(*answer.number) + (years ? " years" : "");
}

std::string listed_answer(const graph::TypedValues& values, const Answer& answer, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, answer.entities.size()); ++i) {
    std::string name = values.shown(answer.entities[i]);
    const auto measured =
        std::find_if(answer.measured.begin(), answer.measured.end(),
                     [&](const Measured& each) { return each.entity == answer.entities[i]; });
    if (measured != answer.measured.end()) name += " (" + graph::shown(measured->value) + ")";
    names.push_back(name);
  }
  if (names.empty()) return "none";
  if (answer.total > names.size()) names.push_back(std::to_string(answer.total - names.size()) + " more");
  return listed(names);
}

std::string outcome(const Query& query, const graph::TypedValues& values, const Answer& answer,
                    std::size_t most) {
  if (answer.cut != Cut::kNone && answer.cut != Cut::kRows)
    return "not known, the limit of " + choice_name(answer.cut) + " was met";
  if (answer.truth) return *answer.truth ? "yes" : "no";
  if (answer.no_common_value) return "not known, there is no common value";
  if (answer.number) return number_words(query, answer);
  if (query.kind == QueryKind::kSum || query.kind == QueryKind::kAverage)
    return "not known, there are no values";
  if (query.kind != QueryKind::kRelations) return listed_answer(values, answer, most);
  std::vector<std::string> names;
  for (const RelationId relation : answer.relations)
    names.emplace_back(values.graph().relation_name(relation));
  return names.empty() ? "none" : listed(names);
}

}  // namespace

std::string in_words(const Query& query, const graph::TypedValues& values) {
  check_form(query, values.graph(), static_cast<std::size_t>(-1));
  return Speaker(values).query(query);
}

std::string in_words(const Set& set, const graph::TypedValues& values) {
  check_form(set, values.graph(), static_cast<std::size_t>(-1));
  return Speaker(values).set(set).text();
}

std::string in_words(const Query& query, const graph::TypedValues& values, const Answer& answer,
                     std::size_t most_names) {
  return in_words(query, values) + ": " + outcome(query, values, answer, most_names);
}

}  // namespace kgwalk::forms
