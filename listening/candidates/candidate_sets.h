// The parts of make_candidates() beyond plain sets, each behind words that ask for it. Torch-free.
#pragma once

#include <span>
#include <string_view>
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
[[nodiscard]] bool begins_as_check(const SaidText& said);  // "is", "did", "has"; or "..., right?"

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
// Two mentions by a value or a count, one mention by a value heard.
void add_comparisons(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                     std::vector<Candidate>& out);
// Whether a relation leads from one mention to another; with one mention alone, to anything.
void add_checks(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                const CandidateLimits& limits, std::vector<Candidate>& out);

}  // namespace kgwalk::listening
