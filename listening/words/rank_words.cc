#include "listening/words/rank_words.h"

#include <algorithm>
#include <charconv>

#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

constexpr std::uint64_t kMostRanked = 1000;

std::optional<std::uint64_t> amount(const std::string& folded) {
  if (const auto number = number_word(folded)) return static_cast<std::uint64_t>(*number);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(folded.data(), folded.data() + folded.size(), number);
  const bool all = error == std::errc() && end == folded.data() + folded.size();
  return all && number > 1 && number <= kMostRanked ? std::optional(number) : std::nullopt;
}

// "second", "2nd"; not "first", which is a superlative by itself.
std::optional<std::uint64_t> ordinal(std::string_view folded) {
  constexpr std::string_view kOrdinals[] = {"second",  "third",  "fourth", "fifth", "sixth",
                                            "seventh", "eighth", "ninth",  "tenth"};
  const auto* const found = std::find(std::begin(kOrdinals), std::end(kOrdinals), folded);
  if (found != std::end(kOrdinals)) return static_cast<std::uint64_t>(found - std::begin(kOrdinals)) + 2;
  const auto number = ordinal_in_digits(folded);
  return number && *number > 1 && *number <= kMostRanked ? number : std::nullopt;
}

// Those that a number may follow: "top 10", "last three".
bool takes_number_behind(std::string_view folded) {
  return folded == "top" || folded == "first" || folded == "last" || folded == "latest";
}

// "most populous": the number stands before both.
bool is_most(std::string_view folded) { return folded == "most" || folded == "least"; }

}  // namespace

std::optional<std::int64_t> number_word(std::string_view folded) {
  constexpr std::string_view kNumbers[] = {"two",   "three", "four", "five",   "six",   "seven",
                                           "eight", "nine",  "ten",  "eleven", "twelve"};
  const auto* const found = std::find(std::begin(kNumbers), std::end(kNumbers), folded);
  if (found != std::end(kNumbers)) return found - std::begin(kNumbers) + 2;
  if (folded == "twenty") return 20;
  return folded == "hundred" ? std::optional<std::int64_t>(100) : std::nullopt;
}

std::optional<std::uint64_t> ordinal_in_digits(std::string_view folded) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(folded.data(), folded.data() + folded.size(), number);
  const std::string_view ending(end, static_cast<std::size_t>(folded.data() + folded.size() - end));
  const bool is_one = ending == "st" || ending == "nd" || ending == "rd" || ending == "th";
  return error == std::errc() && is_one ? std::optional(number) : std::nullopt;
}

bool says_order(std::string_view word) {
  constexpr std::string_view kOrder[] = {"number", "no",      "nr",   "num",     "index",
                                         "order",  "ordinal", "rank", "position"};
  return std::find(std::begin(kOrder), std::end(kOrder), word) != std::end(kOrder);
}

std::optional<SaidRank> rank_said(const SaidText& said) {
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const OrderWord* order = order_word(said.words[i].folded);
    if (order == nullptr || order->compares) continue;
    if (i + 1 < said.words.size() && takes_number_behind(said.words[i].folded)) {
      const std::size_t behind =
          i + 1 + (said.words[i + 1].folded == "-" && i + 2 < said.words.size() ? 1 : 0);
      if (const auto n = amount(said.words[behind].folded)) return SaidRank{behind, *n, false};
    }
    if (i == 0) continue;
    const std::string& before = said.words[i - 1].folded;
    if (const auto n = ordinal(before)) return SaidRank{i - 1, *n, true};
    // "The three most populous cities"; what has "ten most" of nothing is in no order.
    const bool ends =
        is_most(said.words[i].folded) && (i + 1 == said.words.size() || !said.words[i + 1].content);
    if (const auto n = amount(before); n && !ends) return SaidRank{i - 1, *n, false};
  }
  return std::nullopt;
}

}  // namespace kgwalk::listening
