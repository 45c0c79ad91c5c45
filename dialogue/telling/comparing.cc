// Sentences that compare.
#include <algorithm>
#include <cmath>

#include "dialogue/telling/names.h"
#include "dialogue/telling/teller.h"
#include "forms/text/relation_phrases.h"
#include "graph/values/value_group.h"

namespace kgwalk::dialogue {
namespace {

using forms::Comparison;
using forms::MeasureKind;
using graph::ValueKind;

std::string value_of(const forms::Measured& measured) { return graph::shown(measured.value); }

bool same_value(const forms::Measured& a, const forms::Measured& b) {
  return a.value.from == b.value.from && a.value.to == b.value.to;
}

}  // namespace

std::string Teller::measured_noun() const {
  if (query_.measure.kind == MeasureKind::kCount)
    return "number of " + sets_.counted_noun(query_.measure, true);
  return facts_.value_noun(query_.measure.relations.front());
}

// "Heat (1995)".
std::string Teller::value_text(std::size_t place) const {
  const forms::Measured& measured = answer_.measured[place];
  return name(measured.entity) + " (" + value_of(measured) + ')';
}

// "2 children" where children are counted.
std::string Teller::with_counted(const std::string& value) const {
  if (query_.measure.kind != MeasureKind::kCount) return value;
  return (value == "0" ? "no" : value) + ' ' + sets_.counted_noun(query_.measure, value != "1");
}

std::string Teller::cannot_compare() const {
  std::vector<std::string> names;
  for (const forms::Set& set : query_.compared) names.push_back(forms::listed(sets_.names(set).texts, "and"));
  return "I cannot compare these: my graph does not give the " + measured_noun() + " of " +
         (names.size() == 2 ? "both " : "all of ") + forms::listed(names) + '.';
}

// "Heat is older", "Nolan directed more films", "Ada has the greater height". `than` may follow.
std::string Teller::ahead(const std::string& name, bool greatest, bool negated) const {
  const graph::RelationId relation = query_.measure.relations.front();
  const std::string is = negated ? " is not " : " is ", has = negated ? " does not have " : " has ";
  if (query_.measure.kind == MeasureKind::kCount && !negated &&
      facts_.noun({.texts = {name}}, relation, true).empty()) {
    const std::string said =
        facts_.counted({.texts = {name}}, relation,
                       (greatest ? "more " : "fewer ") + sets_.counted_noun(query_.measure, true), true);
    if (!said.empty()) return said;
  }
  if (query_.measure.kind == MeasureKind::kCount)
    return name + has + (greatest ? "more " : "fewer ") + sets_.counted_noun(query_.measure, true);
  const MeasureWords* const words = facts_.measure(relation);
  if (words != nullptr) {
    const std::vector<std::string>& all = greatest ? words->more : words->less;
    if (!all.empty()) return name + is + all.front();
  }
  const std::string noun = facts_.value_noun(relation);
  if (facts_.leads_to_times(relation)) return name + has + (greatest ? "a later " : "an earlier ") + noun;
  return name + has + (greatest ? "a greater " : "a smaller ") + noun;
}

std::string Teller::which() const {
  if (answer_.no_common_value || answer_.measured.empty()) return cannot_compare();
  std::vector<std::string> best, others;
  std::string value;
  for (const forms::Measured& each : answer_.measured) {
    const bool wins =
        std::find(answer_.entities.begin(), answer_.entities.end(), each.entity) != answer_.entities.end();
    if (wins) {
      best.push_back(name(each.entity));
      value = value_of(each);
    } else {
      others.push_back(answer_.measured.size() == 2 ? value_of(each)
                                                    : value_of(each) + " (" + name(each.entity) + ')');
    }
  }
  const std::string against = others.empty() ? "" : " against " + forms::listed(others);
  if (best.size() > 1) {
    const std::string each = best.size() == 2 && others.empty() ? "Neither is ahead: " : "They are equal: ";
    return each + forms::listed(best) + (best.size() == 2 ? " both have " : " all have ") +
           with_counted(value) + against + '.';
  }
  if (best.empty()) return cannot_compare();
  const graph::RelationId relation = query_.measure.relations.front();
  const MeasureWords* const words =
      query_.measure.kind == MeasureKind::kValue ? facts_.measure(relation) : nullptr;
  const std::string values = ": " + value + against + '.';
  // "came out first", "was born last".
  if (words != nullptr && words->time && !words->happened.empty()) {
    const bool two = answer_.measured.size() == 2;
    return best.front() + ' ' + words->happened.front().second +
           (!query_.greatest ? " first"
            : two            ? " later"
                             : " last") +
           values;
  }
  if (answer_.measured.size() == 2) return ahead(best.front(), query_.greatest, false) + values;
  const std::string word = sets_.superlative(query_.measure, query_.greatest);
  if (!word.empty()) return best.front() + " is the " + word + values;
  return best.front() + " has the " + sets_.extreme(query_.measure, query_.greatest) + values;
}

std::string Teller::whether() const {
  if (answer_.no_common_value || !answer_.truth || answer_.measured.size() < 2) return cannot_compare();
  const bool yes = *answer_.truth;
  const forms::Measured &a = answer_.measured[0], &b = answer_.measured[1];
  const std::string lead = yes ? "Yes, " : "No, ";
  const bool asks_same = query_.test == Comparison::kEqual || query_.test == Comparison::kNotEqual;
  const std::string noun = measured_noun();
  if (asks_same) {
    const bool same = yes == (query_.test == Comparison::kEqual);
    const std::string both = name(a.entity) + " and " + name(b.entity);
    if (same && same_value(a, b)) return lead + both + " have the same " + noun + ": " + value_of(a) + '.';
    if (same) return lead + both + " share " + with_article(noun) + '.';
    return lead + value_text(0) + " and " + value_text(1) + " do not have the same " + noun + '.';
  }
  if (same_value(a, b))
    return lead + name(a.entity) + " and " + name(b.entity) + " have the same " + noun + ": " + value_of(a) +
           '.';
  // What is so is said, whatever was asked.
  const bool greater = graph::holds(a.value, Comparison::kGreater, b.value);
  if (greater || graph::holds(a.value, Comparison::kLess, b.value))
    return lead + ahead(value_text(0), greater, false) + " than " + value_text(1) + '.';
  const bool asked_greater = query_.test == Comparison::kGreater || query_.test == Comparison::kAtLeast;
  return lead + ahead(value_text(0), asked_greater, !yes) + " than " + value_text(1) + '.';
}

std::string Teller::difference() const {
  if (answer_.no_common_value || !answer_.number || answer_.measured.size() < 2) return cannot_compare();
  const forms::Measured &a = answer_.measured[0], &b = answer_.measured[1];
  if (same_value(a, b))
    return "There is no difference: " + name(a.entity) + " and " + name(b.entity) + " both have " +
           with_counted(value_of(a)) + '.';
  graph::TypedValue amount = *answer_.number;
  const ValueKind kind = a.value.kind;
  const bool years = kind == ValueKind::kYear && b.value.kind == ValueKind::kYear;
  const bool times = !years && (graph::is_time(kind) || kind == ValueKind::kTime);
  std::string by;
  if (years) {
    const auto number = static_cast<std::uint64_t>(std::llround(std::abs(amount.from)));
    by = number_text(number) + (number == 1 ? " year" : " years");
  } else if (times) {
    const double days = std::abs(a.value.from - b.value.from) / 86'400'000.0;
    const auto number = static_cast<std::uint64_t>(std::llround(days));
    by = number_text(number) + (number == 1 ? " day" : " days");
    // Nobody reads many days as a time.
    const auto whole_years = static_cast<std::uint64_t>(std::llround(days / 365.2425));
    if (whole_years >= 2) by += ", about " + number_text(whole_years) + " years";
  } else {
    // A difference of degrees is kept with the zero of its scale; so is its opposite.
    if (amount.unit != 0) {
      const double zero = graph::number_value(0, amount.unit).from;
      amount.from = amount.to = std::abs(amount.from - zero) + zero;
    } else {
      amount.from = amount.to = std::abs(amount.from);
    }
    by = graph::shown(amount);
  }
  return "The difference is " + by + ": " + value_text(0) + " against " + value_text(1) + '.';
}

}  // namespace kgwalk::dialogue
