// The parts of make_candidates() beyond plain sets, each behind words that ask for it. Torch-free.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

// Words that make some kinds of candidates worth making at all; which kind is meant is the scorer's to judge.
[[nodiscard]] bool is_negation(std::string_view word);
[[nodiscard]] bool has_negation(const SaidText& said);     // "not", "without", "except"
[[nodiscard]] bool has_superlative(const SaidText& said);  // "oldest", "most", "first", "latest"
[[nodiscard]] bool has_comparison(const SaidText& said);   // "older", "more", "before", "or", "same"
[[nodiscard]] bool has_amount(
    const SaidText& said);  // "most", "fewer", "how many": what a count may be meant by
[[nodiscard]] bool begins_as_check(const SaidText& said);      // "is", "did", "has"; or "..., right?"
[[nodiscard]] bool asks_openly(const SaidText& said);          // "how does he live"; not "what about X"
[[nodiscard]] bool asks_for_sum(const SaidText& said);         // "total", "altogether"
[[nodiscard]] bool asks_for_average(const SaidText& said);     // "average", "mean"
[[nodiscard]] bool asks_for_difference(const SaidText& said);  // "how much taller", "difference"
[[nodiscard]] bool says_together(const SaidText& said);        // "with", "together", "the same"
// How many things an utterance means without naming them: at least, by its personal pronouns ("he" and "it"
// are two, "he" and "his" are one), and at most, by every word that may mean one ("the film", "the author",
// "also").
struct References {
  std::size_t least = 0, most = 0;
};
[[nodiscard]] References references_said(const Lexicon& lexicon, const HeardParts& parts);
// Whether two things may be compared by how many of something they have: not by "older" or "heavier", which
// say what is compared.
[[nodiscard]] bool may_compare_counts(const SaidText& said);

// The relations of an entity, ascending.
[[nodiscard]] std::vector<graph::RelationId> relations_of(const graph::KnowledgeGraph& graph,
                                                          graph::EntityId entity);
// Whether it leads to values that are ordered.
[[nodiscard]] bool has_values(const Lexicon& lexicon, graph::RelationId relation);
// The relations that some of the entities looked at have, the best by rank: values that can be ordered of a
// sixth (graphs know the year of few films), others of half.
[[nodiscard]] std::vector<graph::RelationId> measures_of(const Lexicon& lexicon,
                                                         std::span<const graph::EntityId> entities,
                                                         bool values, const RankRelation& rank,
                                                         std::size_t most);
// "The largest country": of measures that are the sizes which the word goes by, where there are any, no
// telephone code is left that nothing else says.
void leave_meant_by_order(const Lexicon& lexicon, const SaidText& said, const RankRelation& rank,
                          std::vector<graph::RelationId>& measures);
// What an entity has of a relation: how many, or the value that compares (the least of several).
[[nodiscard]] std::optional<double> measured(const Lexicon& lexicon, graph::EntityId entity,
                                             graph::RelationId relation, bool by_count);
// The sets whose relations' words fit best, at most `most`; those of more members are left out but for all of
// a type.
[[nodiscard]] std::vector<const Candidate*> likeliest_sets(const HeardParts& parts, const RankRelation& rank,
                                                           std::span<const Candidate> sets, std::size_t most,
                                                           std::size_t most_members);
// How many of the names that stand in the text (HeardParts::named) some mentions are about.
[[nodiscard]] std::size_t names_covered(const HeardParts& parts, std::span<const std::uint32_t> mentions);
// What leads from both of two things to the same, as from those who made a work to it: the pair of relations
// whose words fit best, and whether they lead to anything that is the same. nullopt where one has none.
struct JointEnds {
  graph::RelationId first = 0, second = 0;
  bool so = false;
};
[[nodiscard]] std::optional<JointEnds> joint_ends(const Lexicon& lexicon, const RankRelation& rank,
                                                  graph::EntityId a, graph::EntityId b);
// Mentions of two things that may be compared, in their order: of the most names, so that who names two
// compares them and nothing that was spoken of.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_named(const Lexicon& lexicon,
                                                                               const HeardParts& parts);
// What both have: values, and behind them, where `counts`, what they have counted (true), the best by rank.
[[nodiscard]] std::vector<std::pair<graph::RelationId, bool>> measures_of_both(
    const Lexicon& lexicon, const SaidText& said, graph::EntityId a, graph::EntityId b,
    const RankRelation& rank, bool counts);
// The number that answers; of a difference without its sign. nullopt where there is none.
[[nodiscard]] std::optional<double> amount_of(const forms::Answer& answer, bool difference);

// A value as those of the relation are written: in the unit that its name tells ("milliseconds", "length cm")
// or without one where they have none.
[[nodiscard]] HeardValue as_measured(HeardValue heard, graph::RelationId relation, const Lexicon& lexicon);
// What kAfter, kBefore, kAt and the checks of a value ask of one.
[[nodiscard]] forms::Condition condition_of(Asked asked, const HeardValue& value);
// What the entity has of the relation, of several the least; nullopt where it has no value that compares.
[[nodiscard]] std::optional<graph::TypedValue> value_of(const Lexicon& lexicon, graph::EntityId entity,
                                                        graph::RelationId relation);
// The first or last members, as many as the words say.
[[nodiscard]] forms::Set ranked(forms::Set members, const forms::Measure& measure, Asked asked,
                                const std::optional<SaidRank>& rank);

// A step from an entity of which statements say something beside their facts, by a value that was heard.
struct QualifiedStep {
  std::uint32_t value = 0;  // place among the values heard
  std::vector<forms::Qualified> said;
  std::vector<graph::EntityId> answers;  // ascending
};
// Those by times, "in 2010"; none of a graph without qualifiers.
[[nodiscard]] std::vector<QualifiedStep> qualified_steps(const Lexicon& lexicon, const HeardParts& parts,
                                                         graph::EntityId entity, graph::RelationId relation);

// Whatever is of the type, or of one below it.
[[nodiscard]] forms::Set all_of(graph::EntityId type, const Lexicon& lexicon);
[[nodiscard]] forms::Set all_of(const TypeWords& type, const Lexicon& lexicon);

// Adds what is made of sets: first and last by their values and counts, and those that a value filters, heard
// or of something named.
// Views of `sets` end with the call: they may lie in `out`.
void add_orders_and_filters(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                            const RankRelation& rank, std::span<const Candidate> sets,
                            std::vector<Candidate>& out);
// Whatever has the most of a relation, of nothing named: "the most frequent cause of death".
void add_ends(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
              const RankRelation& rank, std::vector<Candidate>& out);
// The values of sets added up and averaged; views of `sets` as above.
void add_totals(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                const RankRelation& rank, std::span<const Candidate> sets, std::vector<Candidate>& out);
// By how much two mentions differ.
void add_differences(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                     const RankRelation& rank, std::vector<Candidate>& out);
// Two mentions by a value or a count, one mention by a value heard.
void add_comparisons(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                     std::vector<Candidate>& out);
// Whether a relation leads from one mention to another; with one mention alone, to anything; whether two have
// to do with the same.
void add_checks(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                const CandidateLimits& limits, std::vector<Candidate>& out);

}  // namespace kgwalk::listening
