#include "seq2seq/metrics/edits.h"

#include <algorithm>

#include "seq2seq/metrics/words.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

// Costs of turning the first i tokens of the reference into the first j of the hypothesis, row by row.
std::vector<std::int32_t> cost_table(std::span<const std::string> reference,
                                     std::span<const std::string> hypothesis) {
  const std::size_t columns = hypothesis.size() + 1;
  std::vector<std::int32_t> cost((reference.size() + 1) * columns);
  for (std::size_t j = 0; j < columns; ++j) cost[j] = static_cast<std::int32_t>(j);
  for (std::size_t i = 1; i <= reference.size(); ++i) {
    std::int32_t *row = cost.data() + i * columns, *above = row - columns;
    row[0] = static_cast<std::int32_t>(i);
    for (std::size_t j = 1; j < columns; ++j)
      row[j] = std::min(
          {above[j - 1] + (reference[i - 1] == hypothesis[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
  }
  return cost;
}

std::size_t width_of(std::string_view token) {
  std::size_t width = 0;
  for (; !token.empty(); token.remove_prefix(utf8_step(token))) ++width;
  return width;
}

}  // namespace

double EditCounts::rate() const {
  return 100.0 * static_cast<double>(errors()) / static_cast<double>(std::max<std::int64_t>(1, reference()));
}

EditCounts& EditCounts::operator+=(const EditCounts& other) {
  correct += other.correct;
  substitutions += other.substitutions;
  deletions += other.deletions;
  insertions += other.insertions;
  return *this;
}

std::vector<AlignedToken> align_tokens(std::span<const std::string> reference,
                                       std::span<const std::string> hypothesis) {
  const std::vector<std::int32_t> cost = cost_table(reference, hypothesis);
  const std::size_t columns = hypothesis.size() + 1;
  std::vector<AlignedToken> alignment;
  std::size_t i = reference.size(), j = hypothesis.size();
  while (i > 0 || j > 0) {
    const std::int32_t here = cost[i * columns + j];
    const bool same = i > 0 && j > 0 && reference[i - 1] == hypothesis[j - 1];
    if (i > 0 && j > 0 && cost[(i - 1) * columns + j - 1] + (same ? 0 : 1) == here) {
      alignment.push_back({same ? Edit::kCorrect : Edit::kSubstitution, reference[--i], hypothesis[--j]});
    } else if (i > 0 && cost[(i - 1) * columns + j] + 1 == here) {
      alignment.push_back({Edit::kDeletion, reference[--i], ""});
    } else {
      alignment.push_back({Edit::kInsertion, "", hypothesis[--j]});
    }
  }
  std::reverse(alignment.begin(), alignment.end());
  return alignment;
}

EditCounts count_edits(std::span<const AlignedToken> alignment) {
  EditCounts counts;
  for (const AlignedToken& token : alignment) {
    if (token.edit == Edit::kCorrect) ++counts.correct;
    if (token.edit == Edit::kSubstitution) ++counts.substitutions;
    if (token.edit == Edit::kDeletion) ++counts.deletions;
    if (token.edit == Edit::kInsertion) ++counts.insertions;
  }
  return counts;
}

EditCounts count_edits(std::span<const std::string> reference, std::span<const std::string> hypothesis) {
  return count_edits(align_tokens(reference, hypothesis));
}

std::vector<std::string> error_characters(std::string_view text, bool spaces) {
  std::vector<std::string> characters;
  for (const std::string& word : split_words(text)) {
    if (spaces && !characters.empty()) characters.emplace_back(" ");
    for (std::string& character : split_characters(word)) characters.push_back(std::move(character));
  }
  return characters;
}

std::string alignment_text(std::span<const AlignedToken> alignment) {
  std::string lines[3] = {"REF:", "HYP:", "    "};
  for (const AlignedToken& token : alignment) {
    const std::size_t width =
        std::max({width_of(token.reference), width_of(token.hypothesis), std::size_t{1}});
    const auto add = [&](std::string& line, std::string_view text, char missing) {
      line += ' ';
      line += text.empty() ? std::string(width, missing) : std::string(text);
      if (!text.empty()) line += std::string(width - width_of(text), ' ');
    };
    constexpr std::string_view kMarks[] = {"", "S", "D", "I"};
    add(lines[0], token.reference, '*');
    add(lines[1], token.hypothesis, '*');
    add(lines[2], kMarks[static_cast<std::size_t>(token.edit)], ' ');
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines[0] + '\n' + lines[1] + '\n' + lines[2] + '\n';
}

}  // namespace kgwalk::seq2seq
