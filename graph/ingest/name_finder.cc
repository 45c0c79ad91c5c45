#include "graph/ingest/name_finder.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/ingest/iri_names.h"

namespace kgwalk::graph {
namespace {

constexpr double kNearlyEvery = 0.9, kNearlyAllDifferent = 0.8;
constexpr std::size_t kMany = 10;
constexpr TermId kNoClass = kNoName;

struct Use {  // of a property by a subject of a class
  TermId predicate, of_class, subject;
  std::uint32_t language;
  std::uint64_t text;
  auto operator<=>(const Use&) const = default;
};

int rank_of_part(std::string_view property) {
  const std::string_view part = local_part(property);
  const char last = part.empty() ? '\0' : static_cast<char>(part.back() | 0x20);
  return last == 'l' ? 1 : part.size() > 1 && (part[1] | 0x20) == 'i' ? 2 : 0;  // label, title, name
}

class NameFinder {
 public:
  explicit NameFinder(Gathered& gathered) : g_(gathered) {}

  void run(std::size_t num_ranks) {
    note_classes();
    note_uses();
    if (uses_.empty()) return;
    for (std::size_t begin = 0, end = 0; begin < uses_.size(); begin = end) {
      const auto same = [&](const Use& u) {
        return u.predicate == uses_[begin].predicate && u.of_class == uses_[begin].of_class;
      };
      while (end < uses_.size() && same(uses_[end])) ++end;
      if (names(begin, end)) found_.insert({uses_[begin].predicate, uses_[begin].of_class});
    }
    relabel(num_ranks);
  }

 private:
  void note_classes() {
    const TermId type = g_.terms.find_iri(kRdfType);
    const TermId instance = g_.terms.find_iri("http://www.wikidata.org/prop/direct/P31");
    for (const TermFact& fact : g_.facts)
      if (fact.predicate == type || fact.predicate == instance)
        classes_.emplace_back(fact.subject, fact.object);
    std::sort(classes_.begin(), classes_.end());
    classes_.erase(std::unique(classes_.begin(), classes_.end()), classes_.end());
    for (const auto& [subject, of_class] : classes_) ++sizes_[of_class];
    named_.resize(g_.terms.size());
    for (const KeptText& kept : g_.kept)
      if (kept.role == KeptText::Role::kLabel) named_[kept.subject] = true;
    for (const auto& [subject, of_class] : classes_)
      if (named_[subject]) ++named_sizes_[of_class];
  }

  template <class Handle>
  void for_each_class(TermId subject, Handle&& handle) const {
    auto at = std::lower_bound(classes_.begin(), classes_.end(), std::pair{subject, TermId{0}});
    if (at == classes_.end() || at->first != subject) return handle(kNoClass);
    for (; at != classes_.end() && at->first == subject; ++at) handle(at->second);
  }

  void note_uses() {
    for (const KeptText& kept : g_.kept) {
      if (kept.role != KeptText::Role::kPerhapsName) continue;
      const std::uint64_t text = hash_bytes(name_key(name_text(g_.text_of(kept))));
      for_each_class(kept.subject, [&](TermId of_class) {
        uses_.push_back({kept.predicate, of_class, kept.subject, kept.language, text});
      });
    }
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
  }

  // Whether the property of uses_[begin, end) names their class.
  [[nodiscard]] bool names(std::size_t begin, std::size_t end) const {
    std::size_t subjects = 0, single = 0, named = 0;
    std::set<std::uint64_t> texts;
    for (std::size_t i = begin, next = begin; i < end; i = next) {
      bool one_a_language = true;
      for (next = i + 1; next < end && uses_[next].subject == uses_[i].subject; ++next)
        one_a_language = one_a_language && uses_[next].language != uses_[next - 1].language;
      ++subjects;
      single += one_a_language;
      named += named_[uses_[i].subject];
      texts.insert(uses_[i].text);
    }
    const TermId of_class = uses_[begin].of_class;
    const bool has_class = of_class != kNoClass;
    const auto all = static_cast<double>(has_class ? sizes_.at(of_class) : subjects);
    const auto count = static_cast<double>(subjects);
    if (count < kNearlyEvery * all || static_cast<double>(single) < kNearlyEvery * count) return false;
    const auto known = named_sizes_.find(of_class);
    const std::size_t with_name = !has_class ? named : known == named_sizes_.end() ? 0 : known->second;
    const bool mostly_named = static_cast<double>(2 * with_name) > all;
    if (mostly_named && subjects < kMany) return false;
    return static_cast<double>(texts.size()) >= (mostly_named ? kNearlyEvery : kNearlyAllDifferent) * count;
  }

  void relabel(std::size_t num_ranks) {
    std::set<std::tuple<int, TermId>> order;
    for (const auto& [predicate, of_class] : found_)
      order.insert({rank_of_part(g_.terms.text(predicate)), predicate});
    std::map<TermId, std::size_t> ranks;
    for (const auto& [part, predicate] : order) ranks.emplace(predicate, num_ranks + ranks.size());
    for (KeptText& kept : g_.kept) {
      if (kept.role != KeptText::Role::kPerhapsName) continue;
      bool found = false;
      for_each_class(kept.subject, [&](TermId of_class) {
        found = found || found_.contains({kept.predicate, of_class});
      });
      if (!found) continue;
      kept.role = KeptText::Role::kLabel;
      kept.rank = static_cast<std::uint8_t>(std::min<std::size_t>(ranks.at(kept.predicate), 255));
    }
  }

  Gathered& g_;
  std::vector<std::pair<TermId, TermId>> classes_;  // subject and class, ascending
  std::map<TermId, std::size_t> sizes_, named_sizes_;
  std::vector<bool> named_;
  std::vector<Use> uses_;
  std::set<std::pair<TermId, TermId>> found_;  // property and class
};

// Of what a person's name is made; kNone: of no such thing.
enum class NamePart { kNone, kGiven, kFamily };

NamePart part_of_name(std::string_view property) {
  const std::string words = relation_words_of(property);
  const auto is_one = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), words) != names.end();
  };
  if (is_one({"given name", "first name", "firstname", "givenname", "forename"})) return NamePart::kGiven;
  return is_one({"family name", "last name", "lastname", "familyname", "surname"}) ? NamePart::kFamily
                                                                                   : NamePart::kNone;
}

struct PersonName {
  std::string given, family;
  TermId predicate = kNoName;  // of the family name where there is one
  std::uint32_t source = 0;
  bool twice = false;
};

}  // namespace

void name_people(Gathered& gathered, std::size_t num_ranks) {
  std::map<TermId, NamePart> parts;
  std::map<TermId, PersonName> people;
  const auto take = [&](TermId subject, TermId predicate, std::string_view text, std::uint32_t source) {
    if (predicate == kNoName) return;
    const auto [part, is_new] = parts.try_emplace(predicate, NamePart::kNone);
    if (is_new) part->second = part_of_name(gathered.terms.text(predicate));
    if (part->second == NamePart::kNone) return;
    PersonName& person = people[subject];
    std::string& name = part->second == NamePart::kGiven ? person.given : person.family;
    person.twice = person.twice || !name.empty();
    name = name_text(text);
    if (part->second == NamePart::kFamily || person.predicate == kNoName) person.predicate = predicate;
    person.source = source;
  };
  for (const TermFact& fact : gathered.facts)
    if (gathered.terms.is_literal(fact.object))
      take(fact.subject, fact.predicate, gathered.terms.text(fact.object), 0);
  for (const KeptText& kept : gathered.kept)
    if (kept.role == KeptText::Role::kValue)
      take(kept.subject, kept.predicate, gathered.text_of(kept), kept.source);
  for (const KeptText& kept : gathered.kept)
    if (kept.role == KeptText::Role::kLabel) people.erase(kept.subject);
  for (const auto& [subject, person] : people) {
    const TermKind kind = gathered.terms.kind(subject);
    if (person.twice || (kind != TermKind::kIri && kind != TermKind::kBlank)) continue;
    const bool both = !person.given.empty() && !person.family.empty();
    const std::string name = person.given + (both ? " " : "") + person.family;
    const bool says_more =
        kind == TermKind::kIri && name_key(entity_name_of_id(gathered.terms.text(subject))) != name_key(name);
    if (name.empty() || (!both && says_more)) continue;
    gathered.kept.push_back({.subject = subject,
                             .predicate = person.predicate,
                             .language = 0,
                             .datatype = 0,
                             .source = person.source,
                             .role = KeptText::Role::kLabel,
                             .rank = static_cast<std::uint8_t>(std::min<std::size_t>(num_ranks, 255)),
                             .file = 0,
                             .before_fact = 0,
                             .bytes = static_cast<std::uint32_t>(name.size()),
                             .begin = gathered.texts.size()});
    gathered.texts += name;
  }
}

bool is_part_of_name(std::string_view property) { return part_of_name(property) != NamePart::kNone; }

void find_names(Gathered& gathered, std::size_t num_ranks) {
  const auto perhaps = [](const KeptText& kept) { return kept.role == KeptText::Role::kPerhapsName; };
  if (std::any_of(gathered.kept.begin(), gathered.kept.end(), perhaps)) NameFinder(gathered).run(num_ranks);
}

}  // namespace kgwalk::graph
