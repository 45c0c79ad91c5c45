// Candidate forms of an utterance: whatever may be asked of the names in it, executed on the graph.
//
// A candidate is a set reached from one or two mentions, and what is asked of it:
//   one    e --r--> ?; of a graph with qualifiers also those facts alone of which a statement says a value
//   that
//          is heard ("the population in 2010")
//   two    e --r1--> x --r2--> ?
//   and    e1 --r1--> ? <--r2-- e2; of one name where it is said by two relations ("written and directed by")
//   but    e1 --r1--> ?, without those that e2 --r2--> leads to
//   those  the answers of before; a step from them and what else holds of them count as one and and.
//          Or all of a type that is said
//   pair   e1 and e2 side by side, to be compared
//   ends   whatever has the relation that is counted: "who produced the most films"
//   nothing  the graph does not have what is asked for; made by prepare(), one an utterance
// each of the first five also with a type for ? (or for x) that the words name. A set is told or counted,
// ordered by a value or a count (first, last; several of them, or the second alone, where that is said),
// filtered by one (after, before, at) that is said or that something named has, or its values are added up or
// averaged; of one or two mentions a fact is checked, or of one with two others, or whether there is any of
// an and; pairs are compared by a value or by a count: which has more, whether it has, how much more.
// Torch-free.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dialogue/linking/mention_finder.h"
#include "kgwalk/forms.h"
#include "kgwalk/query.h"
#include "listening/candidates/lexicon.h"
#include "listening/candidates/said_before.h"
#include "listening/words/rank_words.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

// An entity that the utterance may mean, and how: a candidate of one mention.
struct HeardMention {
  std::size_t first = 0, last = 0;  // words [first, last); empty for one that is not named
  graph::EntityId entity = 0;
  dialogue::NameFit fit = dialogue::NameFit::kWhole;
  float score = 1;         // how surely the words mean it, 0 to 1
  float cover = 1;         // share of the name that is said
  float capital = 0;       // share of its words with a capital
  bool spoken_of = false;  // named now, and spoken of before
  bool everyday = false;   // words that are rarely meant as names
  bool noun = false;       // in lower case a word for what else is named or was spoken of: "the novel"
  std::optional<FocusNote> focus = {};
  // "Those", the answers of before, all of which are meant, `entity` is the first of them; or all of a type
  // that is said, `entity` is the type and `type` its place in Lexicon::types(). Empty: one is meant.
  std::vector<graph::EntityId> members = {};
  bool of_type = false;
  std::uint32_t type = 0;
  [[nodiscard]] bool overlaps(const HeardMention& other) const noexcept {
    return first < other.last && other.first < last;
  }
};

// A value in the text: "2005", "1990s", "the nineties", "14 March 1902", "two meters", "16th".
struct HeardValue {
  std::size_t first = 0, last = 0;  // words
  graph::TypedValue value;
  std::optional<graph::TypedValue> upper = {};  // of a range: "the 1990s", "between 1990 and 2000"
  std::optional<graph::TypedValue> bare = {};   // of a number with a unit the number alone
  bool inclusive = false;                       // "at least", "or more", "since": the value itself counts too
  bool ordinal = false;                         // "16th": the number of something in its order
};

// A type that the words name.
struct HeardType {
  std::uint32_t type = 0;  // place in Lexicon::types()
  float match = 0;         // how alike the words are, 0.7 to 1
  std::size_t first = 0;   // place of the first of them
  std::size_t word = 0;    // and of the last
  bool guessed = false;    // a noun that nothing is called by, of a graph of one kind of things
};

enum class Shape : std::uint8_t { kOne, kTwo, kAnd, kBut, kThose, kPair, kNothing, kEnds };
enum class Asked : std::uint8_t {
  kSet,     // which, or how many
  kCheck,   // whether it is so
  kFirst,   // the least by the measure
  kLast,    // the greatest
  kAfter,   // above the value
  kBefore,  // below it
  kAt,      // the same, or within
  kWhich,   // of a pair the one with more
  kLeast,   // of a pair the one with less
  kMore,    // whether the first has more than the second, or than the value
  kLess,    // less
  kSame,    // whether both have the same
  kSum,     // of the measure of all
  kAverage,
  kDifference,  // of a pair
};
inline constexpr int kNumAsked = 15;
[[nodiscard]] constexpr bool is_filter(Asked asked) noexcept {
  return asked == Asked::kAfter || asked == Asked::kBefore || asked == Asked::kAt;
}
// Answered by yes or no, from two measures.
[[nodiscard]] constexpr bool is_whether(Asked asked) noexcept {
  return asked == Asked::kMore || asked == Asked::kLess || asked == Asked::kSame;
}
enum class SlotRole : std::uint8_t { kSingle, kInner, kOuter, kBoth, kMeasure };
inline constexpr int kNumRoles = 5;
enum class TypeAt : std::uint8_t { kNone, kAnswer, kMiddle };

struct Slot {
  graph::RelationId relation = 0;
  SlotRole role = SlotRole::kSingle;
  std::uint8_t mention = 0;  // place in Candidate::mentions that it starts from
  friend bool operator==(const Slot&, const Slot&) = default;
};
inline constexpr int kMaxSlots = 3;

struct Candidate {
  Shape shape = Shape::kOne;
  Asked asked = Asked::kSet;
  bool by_count = false;  // the measure is how many it leads to, not a value
  bool than = false;      // kAfter, kBefore: not a value said, but what the last mention has of the measure
  std::vector<Slot> slots = {};              // none to two of the set, then the measure where there is one
  std::vector<std::uint32_t> mentions = {};  // none to three, places among those heard
  TypeAt type_at = TypeAt::kNone;
  std::uint32_t type = 0;   // place among the types heard
  std::uint32_t value = 0;  // kAfter, kBefore, kAt, kMore, kLess, `qualified`: place among the values heard
  std::vector<forms::Qualified> qualified = {};  // of kOne: what statements must say beside the step's facts
  std::vector<graph::EntityId> answers = {};     // ascending; empty for what is answered by yes or no
  std::optional<bool> truth = {};                // of what is
  std::optional<double> amount = {};             // a sum or an average, of `answers`; a difference
  bool countable = false;                        // it may also be asked how many these are
};

struct HeardParts {
  SaidText said;
  SaidBefore before = {};
  std::vector<HeardMention> mentions;
  std::vector<std::uint32_t> named;  // mentions that are surely names, without overlaps; the surest first
  std::vector<HeardType> types;
  std::vector<HeardValue> values;
  std::optional<SaidRank> rank = {};
};

// The slots of a candidate's set, without its measure.
[[nodiscard]] std::span<const Slot> set_slots(const Candidate& candidate) noexcept;

struct CandidateLimits {
  std::size_t relations = 60;  // of an entity, the best by `rank`
  std::size_t middle = 200;    // entities that a second step goes on from
  std::size_t middle_in_all = 3000;
  std::size_t answers = 2000;  // of a set that is joined with another
};

// How well a relation's words fit what was said: used to keep the best where an entity has very many
// relations.
using RankRelation = std::function<float(graph::RelationId)>;

// In a fixed order; nothing without answers but checks. Thread-safe.
[[nodiscard]] std::vector<Candidate> make_candidates(const Lexicon& lexicon, const forms::Engine& engine,
                                                     const HeardParts& parts, const RankRelation& rank,
                                                     const CandidateLimits& limits = {});

// The candidate, any but kNothing, as a form, to be told and shown; `counted`: how many.
[[nodiscard]] forms::Query form_of(const Candidate& candidate, const HeardParts& parts,
                                   const Lexicon& lexicon, bool counted);

// Types whose names' words are all said, best first.
[[nodiscard]] std::vector<HeardType> types_said(const Lexicon& lexicon, const SaidText& said);
// What relations lead to, all of it ("which islands are there").
[[nodiscard]] std::vector<HeardType> ranges_said(const Lexicon& lexicon, const SaidText& said);
// Whether a word says what a relation of the graph is a number of: "cylinders".
using IsCounted = std::function<bool(const std::string& noun)>;
// Values in the text, in its order, longest first; what nobody says to be counted is none in words.
[[nodiscard]] std::vector<HeardValue> values_said(const SaidText& said, const IsCounted& is_counted = {});

}  // namespace kgwalk::listening
