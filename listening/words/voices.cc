#include "listening/words/voices.h"

#include <algorithm>

#include "listening/words/likeness.h"

namespace kgwalk::listening {
namespace {

// What is called by a verb's stem and is none.
bool is_noun(std::string_view folded) {
  constexpr std::string_view kOfNouns[] = {"er",   "or",    "ers", "ors",  "ion", "ions",
                                           "ment", "ments", "ist", "ists", "ship"};
  return std::any_of(std::begin(kOfNouns), std::end(kOfNouns),
                     [&](std::string_view ending) { return folded.ends_with(ending); });
}

VerbEnds& ends_of(std::string_view verb, RelationVoices& out) {
  std::string key = stem(verb);
  for (auto& [known, ends] : out.verbs)
    if (known == key) return ends;
  return out.verbs.emplace_back(std::move(key), VerbEnds{}).second;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }
bool is_one_word(std::string_view text) { return text.find(' ') == std::string_view::npos; }

// "be influenced by": who is its subject is done to by the other end. Other forms of "be" tell nothing.
std::string_view passive(std::string_view base) {
  if (!base.starts_with("be ") || !base.ends_with(" by")) return {};
  return first_word(base.substr(3));
}

}  // namespace

std::string verb_stem(std::string_view folded) { return is_noun(folded) ? std::string() : stem(folded); }

const VerbEnds* RelationVoices::of(std::string_view stem) const {
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const auto& verb) { return verb.first == stem; });
  return found == verbs.end() ? nullptr : &found->second;
}

RelationVoices voices_of(std::span<const std::string> words, const Family* family) {
  RelationVoices out;
  const auto add = [&](std::string_view verb, VerbEnds::End subject, bool takes_object) {
    VerbEnds& ends = ends_of(verb, out);
    ends.acts[subject] = true;
    if (takes_object) ends.takes[1 - subject] = true;
  };
  // "Influenced by", "directed by person".
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] == "by" && words[i - 1].size() > 3) add(words[i - 1], VerbEnds::kTail, true);
  if (family == nullptr) return out;
  for (const auto& [participle, past] : family->done)
    for (const std::string_view verb : {first_word(participle), first_word(past)})
      add(verb, VerbEnds::kTail, is_one_word(participle));
  const auto add_all = [&](const auto& verbs, VerbEnds::End subject) {
    for (const auto& [base, past] : verbs)
      if (const std::string_view verb = passive(base); !verb.empty())
        add(verb, subject == VerbEnds::kHead ? VerbEnds::kTail : VerbEnds::kHead, true);
      else if (!base.starts_with("be "))
        add(first_word(base), subject, is_one_word(base));
  };
  add_all(family->acts, VerbEnds::kTail);
  add_all(family->does, VerbEnds::kHead);
  return out;
}

}  // namespace kgwalk::listening
