// Words that are rarely meant as names though names consist of them: data/words/everyday.txt, compiled in.
// Torch-free.
#pragma once

#include <span>
#include <string_view>

namespace kgwalk::dialogue {

// kFunction: pronouns, prepositions, auxiliaries, greetings. kCommon: what texts write in lower case again
// and again.
enum class Everyday { kNo, kCommon, kFunction };

// Tells the kind of a word in lower case without accents, as words_of() gives it. Thread-safe.
[[nodiscard]] Everyday everyday(std::string_view word);

// Those of kind kCommon, as the file has them, the most frequent first. Thread-safe.
[[nodiscard]] std::span<const std::string_view> common_words();

}  // namespace kgwalk::dialogue
