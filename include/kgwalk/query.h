// Evaluates forms (kgwalk/forms.h) exactly on a graph in memory.
//
// Example:
//   #include "kgwalk/store.h"
//
//   using namespace kgwalk;
//   const auto graph = graph::Store::open("kg.db", graph::Store::Mode::kReadOnly).load_graph();
//   const graph::TypedValues values(graph);
//   const forms::Engine engine(values);
//   const auto nolan = *graph.find_entity("Christopher Nolan");
//   const auto directed = graph.inverse(*graph.find_relation("directed by"));
//   const forms::Query films = forms::find(forms::step(forms::entities({nolan}), {directed}));
//   const forms::Answer answer = engine.answer(films, {}, {.budget_s = 0.5});
//   for (const forms::EntityId film : answer.entities) std::cout << graph.entity_name(film) << '\n';
//   if (!answer.complete()) std::cout << "and more\n";
//   for (const graph::Triple& edge : engine.evidence(films, nolan)) std::cout << edge.tail << '\n';
//
// An answer is exact for its form and the graph: nothing is left out without saying so. It does not depend on
// threads, nor on time but by a budget that ran out, which is told.
//
// Where an entity has several values, the least counts where the least is asked for ("first", <, <=), else
// the greatest; "equal" and "not equal" hold where they hold for one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/forms.h"
#include "kgwalk/progress.h"

namespace kgwalk::forms {

// What one query may take. What is 0 is not limited.
struct Limits {
  std::uint64_t max_rows = 0;              // entities told; how many there are is told all the same
  std::uint64_t max_visits = 100'000'000;  // edges and values looked at
  double budget_s = 0;                     // wall time
  const StopFlag* stop = nullptr;
};

// Why an answer is not the whole one.
enum class Cut : std::uint8_t {
  kNone,    // it is
  kRows,    // entities: the first max_rows of `total`
  kVisits,  // the others: nothing is answered, since a part may be wrong ("not", "first", a count)
  kTime,
  kStopped,
};
constexpr auto choice_names(Cut) {
  return choices_in_order<Cut>("none", "rows", "visits", "time", "stopped");
}

enum class Order : std::uint8_t { kById, kAscending, kDescending };  // by the measure, then by id
constexpr auto choice_names(Order) { return choices_in_order<Order>("id", "ascending", "descending"); }

// What an entity was ordered or compared by.
struct Measured {
  EntityId entity;
  TypedValue value = {};                  // a count is a number
  std::optional<EntityId> value_id = {};  // the entity that stands for the value; none of counts
};

struct Answer {
  std::vector<EntityId> entities = {};  // kFind, kWhich. In this order:
  Order order = Order::kById;
  // Values of `entities`, where first or last asked for them; for which, whether and difference the best of
  // each compared.
  std::vector<Measured> measured = {};
  std::vector<RelationId> relations = {};  // kRelations, ascending
  std::optional<TypedValue> number =
      {};  // kCount, kSum, kAverage (of years too), kDifference (of years in years, of dates in days)
  std::optional<bool> truth = {};  // kWhether, kCheck
  std::uint64_t total = 0;         // members of the set, whatever of them is told
  bool ties = false;               // first, last: more than n, since the last of them are equal
  // kSum, kAverage, kWhich, kWhether, kDifference, and where, first and last at the top: nothing compared has
  // values that compare with each other or with the one given (kWhich and what follows it: one of them has
  // none). No number, no truth then: it is not known, which is another thing than "no" or none.
  bool no_common_value = false;
  Cut cut = Cut::kNone;
  [[nodiscard]] bool complete() const noexcept { return cut == Cut::kNone; }
};

// The answers of before, by number; a form that names another one is a ConfigError.
using Bindings = std::span<const std::vector<EntityId>>;

// Borrows the values and their graph. Thread-safe: all functions are const.
class Engine {
 public:
  explicit Engine(const graph::TypedValues& values);
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  [[nodiscard]] const graph::TypedValues& values() const noexcept;

  // ConfigError for a form that does not hold together: ids beyond the graph's, parts or relations missing, a
  // number of before that is not bound, a count compared with something else than a number.
  [[nodiscard]] Answer answer(const Query& query, Bindings before = {}, const Limits& limits = {}) const;

  // The members of a set, ascending; nullopt where a limit was met. max_rows is not looked at.
  [[nodiscard]] std::optional<std::vector<EntityId>> members(const Set& set, Bindings before = {},
                                                             const Limits& limits = {}) const;

  // The edges that an answer rests on: for a member of the set of the query (of what is compared), those that
  // lead to it from the entities named and those that its conditions hold by, in the order of the form, each
  // once. Of a count at most 100. Of "but" and of "first" nothing shows what is not there. Empty where it is
  // no member, or nothing but its name makes it one.
  [[nodiscard]] std::vector<graph::Triple> evidence(const Query& query, EntityId entity,
                                                    Bindings before = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::forms
