#include "listening/questions/school_graph.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dialogue/linking/everyday_words.h"
#include "dialogue/telling/measures.h"
#include "graph/graph_builder.h"
#include "listening/questions/english.h"
#include "listening/questions/made_up.h"
#include "listening/words/families.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using Lines = std::vector<std::string>;

constexpr std::string_view kHouses[] = {"Works",   "Group",    "University", "Club",  "Records",
                                        "Society", "Pictures", "Institute",  "Party", "Press"};
constexpr EndKind kKinds[] = {EndKind::kPerson, EndKind::kPlace, EndKind::kOrganization, EndKind::kWork,
                              EndKind::kThing};
// What tables say yes or no to, and of what.
struct Flag {
  std::string_view name;
  EndKind of;
};
constexpr Flag kFlags[] = {{"is active", EndKind::kPerson},          {"is retired", EndKind::kPerson},
                           {"is alive", EndKind::kPerson},           {"is member", EndKind::kPerson},
                           {"has children", EndKind::kPerson},       {"is left handed", EndKind::kPerson},
                           {"is verified", EndKind::kPerson},        {"is coastal", EndKind::kPlace},
                           {"is inhabited", EndKind::kPlace},        {"is landlocked", EndKind::kPlace},
                           {"is protected", EndKind::kPlace},        {"has airport", EndKind::kPlace},
                           {"is independent", EndKind::kPlace},      {"is public", EndKind::kOrganization},
                           {"is dissolved", EndKind::kOrganization}, {"is private", EndKind::kOrganization},
                           {"is nonprofit", EndKind::kOrganization}, {"has website", EndKind::kOrganization},
                           {"is animated", EndKind::kWork},          {"is lost", EndKind::kWork},
                           {"is explicit", EndKind::kWork},          {"is translated", EndKind::kWork},
                           {"has subtitles", EndKind::kWork},        {"in print", EndKind::kWork},
                           {"is poisonous", EndKind::kThing},        {"is extinct", EndKind::kThing},
                           {"is available", EndKind::kThing},        {"is edible", EndKind::kThing},
                           {"is electric", EndKind::kThing},         {"has wheels", EndKind::kThing},
                           {"is endangered", EndKind::kThing},       {"discontinued", EndKind::kThing}};
constexpr std::size_t kOfFlag = 60;
constexpr std::size_t kFewestThings = 100;
constexpr std::size_t kFewestHeads = 12, kFewestOfFamily = 30, kMoreOfFamily = 40;
constexpr std::size_t kOfMeasure = 20;
constexpr int kCommonMeasures = 3;

// Half of the words of names are words of the language, as they are in names of works and things: who hears
// them must not take them for what is asked.
std::string name_word(Random& random, double made_up) {
  if (happens(random, made_up)) return capitalized(made_up_word(random));
  const auto words = dialogue::common_words();
  return capitalized(std::string(words[random.below(words.size())]));
}

std::string title(Random& random) {
  const auto word = [&] { return name_word(random, 0.15); };
  switch (random.below(12)) {
    case 0:
      return word();
    case 1:
      return "The " + word();
    case 2:
      return "The " + word() + " of " + word();
    case 3:
      return word() + " and " + word();
    case 4:
      return word() + " in the " + word();
    case 5:
      return "The " + word() + " " + word() + " " + word();
    case 6:
      return word() + " " + std::to_string(2 + random.below(4));
    case 7:
      return "A " + word() + " " + word();
    case 8:
      return word() + " of the " + word();
    case 9:
      return "The " + word() + " " + word();
    default:
      return word() + " " + word();
  }
}

std::string name_of(EndKind kind, Random& random) {
  switch (kind) {
    case EndKind::kPerson:
      return capitalized(made_up_word(random)) + " " + name_word(random, 0.8);
    case EndKind::kOrganization:
      return name_word(random, 0.5) + " " + std::string(kHouses[random.below(std::size(kHouses))]);
    case EndKind::kWork:
      return title(random);
    case EndKind::kPlace:
      return happens(random, 0.3) ? name_word(random, 0.5) + " " + name_word(random, 0.5)
                                  : name_word(random, 0.9);
    default:
      return happens(random, 0.3) ? name_word(random, 0.4) + " " + name_word(random, 0.4)
                                  : name_word(random, 0.6);
  }
}

class School {
 public:
  explicit School(std::uint64_t seed) : random_(seed, 97) {
    for (const EndKind kind : kKinds) add_things(kind, size_of(kind));
    for (const Family& family : families()) add_family(family);
    for (Things& things : things_) add_common_measures(things);
    for (const Flag& flag : kFlags) add_flag(flag);
    for (const Things& things : things_) add_order(things);
    for (const dialogue::MeasureWords& measure : dialogue::measure_table()) add_measure(measure);
  }
  [[nodiscard]] graph::KnowledgeGraph build() { return builder_.build(); }

 private:
  struct Thing {
    EntityId id = 0;
    std::string type;
  };
  using Things = std::vector<Thing>;

  // So many that a thing has about a dozen relations, whatever the number of families.
  [[nodiscard]] static std::size_t size_of(EndKind kind) {
    std::size_t ends = 0;
    for (const Family& family : families())
      ends += (family.head == kind                ? 4
               : family.head == EndKind::kUnknown ? 1
                                                  : 0) +
              (family.tail == kind ? 1 : 0);
    return std::max(kFewestThings, ends);
  }

  [[nodiscard]] Things& of(EndKind kind) { return things_[static_cast<std::size_t>(kind)]; }

  void add(EntityId head, std::string_view relation, EntityId tail) {
    if (head != tail) builder_.add({head, builder_.relation(relation), tail});
  }

  // Types are the nouns by which families call what has their relations.
  void add_things(EndKind kind, std::size_t count) {
    std::set<std::string> nouns;
    for (const Family& family : families())
      if (family.head == kind) nouns.insert(family.head_nouns.begin(), family.head_nouns.end());
    if (nouns.empty()) nouns = {"thing"};
    const Lines types(nouns.begin(), nouns.end());
    while (of(kind).size() < count) {
      const std::string name = name_of(kind, random_);
      if (!names_.insert(name).second) continue;
      const Thing thing{builder_.entity(name), pick(types, random_)};
      add(thing.id, "type", builder_.entity(thing.type));
      of(kind).push_back(thing);
    }
  }

  // One of the names that no other relation has; empty where all are taken.
  std::string free_name(const std::vector<Lines>& names) {
    Lines free;
    for (const Lines& words : names)
      if (!relations_.contains(join_words(words))) free.push_back(join_words(words));
    return free.empty() ? "" : *relations_.insert(pick(free, random_)).first;
  }

  Things some(Things all, std::size_t count) {
    random_.shuffle(std::span(all));
    all.resize(std::min(all.size(), count));
    return all;
  }

  void add_family(const Family& family) {
    const std::string name = free_name(family.names);
    if (name.empty()) return;
    const EndKind kind =
        family.head == EndKind::kUnknown ? kKinds[random_.below(std::size(kKinds))] : family.head;
    Things heads;
    for (const Thing& thing : of(kind))
      if (family.head_nouns.empty() || std::find(family.head_nouns.begin(), family.head_nouns.end(),
                                                 thing.type) != family.head_nouns.end())
        heads.push_back(thing);
    if (heads.size() < kFewestHeads) heads = some(of(kind), kFewestOfFamily);
    heads = some(std::move(heads), kFewestOfFamily + random_.below(kMoreOfFamily));
    const bool several = happens(random_, 0.4);
    const Things& all = of(family.tail);
    const Things tails = all.empty() ? Things() : some(all, 12 + random_.below(50));
    for (const Thing& head : heads)
      for (std::size_t i = 0; i < (several ? 1 + random_.below(4) : 1); ++i)
        add(head.id, name, tails.empty() ? value(family.tail == EndKind::kDate) : pick(tails, random_).id);
  }

  // What nearly all things of a kind have, as films have a year: else the members of a set would have hardly
  // ever one in common, by which they are ordered.
  void add_common_measures(const Things& things) {
    const auto table = dialogue::measure_table();
    for (int i = 0; i < kCommonMeasures && !things.empty(); ++i) {
      std::size_t which = random_.below(table.size());
      while (i == 0 && !table[which].time) which = random_.below(table.size());
      const dialogue::MeasureWords& measure = table[which];
      const std::string name = free_name(measure.names);
      if (name.empty()) continue;
      greatest_ = happens(random_, 0.5) ? 400 : 90'000;
      for (const Thing& head : things)
        if (happens(random_, 0.85)) add(head.id, name, value(measure.time));
    }
  }

  void add_measure(const dialogue::MeasureWords& measure) {
    const std::string name = free_name(measure.names);
    if (name.empty()) return;
    Things heads;
    for (const Things& things : things_)
      if (happens(random_, 0.4)) heads.insert(heads.end(), things.begin(), things.end());
    greatest_ = happens(random_, 0.5) ? 400 : 90'000;
    for (const Thing& head : some(std::move(heads), kOfMeasure)) add(head.id, name, value(measure.time));
  }

  // All of a type by their numbers, as presidents and elements have them.
  void add_order(const Things& things) {
    constexpr std::string_view kOrders[] = {"number", "no", "rank", "position", "order", "index"};
    if (things.empty()) return;
    const std::string name = free_name({{std::string(kOrders[random_.below(std::size(kOrders))])}});
    if (name.empty()) return;
    const std::string type = pick(things, random_).type;
    Things ordered = some(things, things.size());
    std::erase_if(ordered, [&](const Thing& thing) { return thing.type != type; });
    for (std::size_t i = 0; i < ordered.size(); ++i)
      add(ordered[i].id, name, builder_.entity(std::to_string(i + 1)));
  }

  void add_flag(const Flag& flag) {
    if (!relations_.insert(std::string(flag.name)).second) return;
    const bool words = happens(random_, 0.5);
    for (const Thing& head : some(of(flag.of), kOfFlag)) {
      const bool yes = happens(random_, 0.35);
      add(head.id, flag.name, builder_.entity(words ? (yes ? "yes" : "no") : (yes ? "true" : "false")));
    }
  }

  EntityId value(bool time) {
    if (!time) return builder_.entity(std::to_string(2 + random_.below(greatest_)));
    const int year = 1850 + static_cast<int>(random_.below(170));
    if (happens(random_, 0.6)) return builder_.entity(std::to_string(year));
    return builder_.entity(fmt::format("{}-{:02}-{:02}", year, 1 + random_.below(12), 1 + random_.below(28)));
  }

  Random random_;
  graph::GraphBuilder builder_;
  std::array<Things, 8> things_;  // by kind
  std::set<std::string> names_, relations_;
  std::uint64_t greatest_ = 400;
};

}  // namespace

graph::KnowledgeGraph school_graph(std::uint64_t seed) { return School(seed).build(); }

}  // namespace kgwalk::listening
