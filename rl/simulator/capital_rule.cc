#include "rl/simulator/capital_rule.h"

#include <algorithm>
#include <limits>
#include <string>

namespace kgwalk::rl {
namespace {

constexpr std::string_view kWordMark = "\u2581";  // SentencePiece's space
constexpr float kForbidden = -std::numeric_limits<float>::infinity();

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

bool ends_sentence(const std::string& piece) {
  return !piece.empty() && std::string_view(".!?").find(piece.back()) != std::string_view::npos;
}

}  // namespace

// kOwn: "I", "I'm". kFirst: "Who", where there is "who".
CapitalRule::Case CapitalRule::case_of(const std::string& piece, const seq2seq::SentencePiece& vocabulary) {
  const bool opens = piece.starts_with(kWordMark);
  const std::string_view text = std::string_view(piece).substr(opens ? kWordMark.size() : 0);
  if (std::none_of(text.begin(), text.end(), is_capital))
    return ends_sentence(piece) ? Case::kEnds : Case::kSmall;
  if (opens && (text == "I" || text.starts_with("I'"))) return Case::kOwn;
  std::string small = piece;
  const std::size_t at = opens ? kWordMark.size() : 0;
  small[at] = static_cast<char>(small[at] - 'A' + 'a');
  const bool rest = std::any_of(text.begin() + 1, text.end(), is_capital);
  return opens && is_capital(text.front()) && !rest && vocabulary.find(small) ? Case::kFirst : Case::kName;
}

CapitalRule::CapitalRule(const seq2seq::SentencePiece& vocabulary) {
  for (int id = 0; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    cases_.push_back(vocabulary.is_control(id) ? Case::kSmall : case_of(piece, vocabulary));
    if (cases_.back() == Case::kFirst) first_.push_back(id);
    if (cases_.back() == Case::kName) names_.push_back(id);
    if (!vocabulary.is_control(id) && !piece.empty() && !piece.starts_with(kWordMark) &&
        is_letter(piece.front()))
      joined_.push_back(id);
  }
}

void CapitalRule::forbid(std::span<const std::int64_t> said, std::span<float> scores) const {
  const auto strike = [&](const std::vector<std::int64_t>& pieces) {
    for (const std::int64_t piece : pieces) scores[static_cast<std::size_t>(piece)] = kForbidden;
  };
  strike(names_);
  if (said.empty()) return;
  const auto last = static_cast<std::size_t>(said.back());
  const Case before = last < cases_.size() ? cases_[last] : Case::kSmall;
  if (before != Case::kEnds) strike(first_);
  if (before == Case::kFirst || before == Case::kOwn) strike(joined_);
}

}  // namespace kgwalk::rl
