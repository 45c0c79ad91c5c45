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
  // "Influenced by", "directed by person".
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] == "by" && words[i - 1].size() > 3) {
      VerbEnds& ends = ends_of(words[i - 1], out);
      ends.tail_acts = ends.head_takes = true;
    }
  if (family == nullptr) return out;
  for (const auto& [participle, past] : family->done)
    for (const std::string_view verb : {first_word(participle), first_word(past)}) {
      VerbEnds& ends = ends_of(verb, out);
      ends.tail_acts = true;
      ends.head_takes = ends.head_takes || is_one_word(participle);
    }
  for (const auto& [base, past] : family->acts) {
    if (const std::string_view verb = passive(base); !verb.empty()) {
      VerbEnds& ends = ends_of(verb, out);
      ends.head_acts = ends.tail_takes = true;
    } else if (!base.starts_with("be ")) {
      VerbEnds& ends = ends_of(first_word(base), out);
      ends.tail_acts = true;
      ends.head_takes = ends.head_takes || is_one_word(base);
    }
  }
  for (const auto& [base, past] : family->does) {
    if (const std::string_view verb = passive(base); !verb.empty()) {
      VerbEnds& ends = ends_of(verb, out);
      ends.tail_acts = ends.head_takes = true;
    } else if (!base.starts_with("be ")) {
      VerbEnds& ends = ends_of(first_word(base), out);
      ends.head_acts = true;
      ends.tail_takes = ends.tail_takes || is_one_word(base);
    }
  }
  return out;
}

}  // namespace kgwalk::listening
