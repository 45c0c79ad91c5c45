#include "seq2seq/tasks/recognition/units.h"

#include <algorithm>
#include <map>

#include "kgwalk/error.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/tasks/pieces.h"
#include "seq2seq/text/unicode_text.h"

namespace kgwalk::seq2seq {
namespace {

constexpr const char* kSpecial[] = {"<blank>", "<unk>", "<s>", "</s>"};
constexpr const char* kReplacement = "\uFFFD";

PieceOptions piece_options(const UnitOptions& options) {
  PieceOptions pieces;
  pieces.size = options.size;
  pieces.lower = false;  // done before
  return pieces;
}

}  // namespace

std::string SpeechUnits::normalized(std::string_view text) const {
  std::string joined;
  for (const std::string& word : split_words(options_.lower ? lower_case(text) : std::string(text))) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

// Characters (spaces as their unit) or words of a normalized text.
std::vector<std::string> SpeechUnits::split(std::string_view text) const {
  std::vector<std::string> parts;
  for (std::string& word : split_words(text)) {
    if (options_.kind == UnitKind::kWords) {
      parts.push_back(std::move(word));
      continue;
    }
    if (!parts.empty()) parts.emplace_back(kSpaceUnit);
    for (std::string& character : split_characters(word)) parts.push_back(std::move(character));
  }
  return parts;
}

SpeechUnits SpeechUnits::make(std::span<const std::string> transcripts, const UnitOptions& options,
                              const std::filesystem::path& scratch) {
  SpeechUnits units(options);
  if (options.kind == UnitKind::kPieces) {
    units.pieces_ = std::make_shared<const SentencePiece>(train_pieces(
        [&](const auto& add) {
          for (const std::string& text : transcripts) add(units.normalized(text));
        },
        piece_options(options), scratch));
    return units;
  }
  std::map<std::string, std::int64_t> counts;
  for (const std::string& text : transcripts)
    for (const std::string& part : units.split(units.normalized(text))) ++counts[part];
  if (counts.empty()) throw ConfigError("the transcripts are empty: there are no units to learn");
  std::vector<std::pair<std::string, std::int64_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  units.units_.assign(std::begin(kSpecial), std::end(kSpecial));
  for (const auto& [unit, count] : order)
    if (count >= options.min_count) units.units_.push_back(unit);
  units.index("the transcripts");
  return units;
}

SpeechUnits SpeechUnits::parse(std::string bytes, const UnitOptions& options, const std::string& source) {
  SpeechUnits units(options);
  if (options.kind == UnitKind::kPieces) {
    units.pieces_ = std::make_shared<const SentencePiece>(std::move(bytes), source);
    for (const char* piece : {kStartPiece, kEndPiece})
      if (!units.pieces_->find(piece))
        throw FormatError(source + ": has no piece " + piece + "; it was not made for this task");
    return units;
  }
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    units.units_.push_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  units.index(source);
  return units;
}

void SpeechUnits::index(const std::string& source) {
  for (std::size_t i = 0; i < std::size(kSpecial); ++i)
    if (i >= units_.size() || units_[i] != kSpecial[i])
      throw FormatError(source + ": unit " + std::to_string(i) + " must be " + kSpecial[i]);
  for (std::size_t i = 0; i < units_.size(); ++i)
    if (!ids_.emplace(units_[i], static_cast<int>(i)).second)
      throw FormatError(source + ": the unit '" + units_[i] + "' comes twice");
}

int SpeechUnits::size() const { return pieces_ ? pieces_->size() : static_cast<int>(units_.size()); }

std::string SpeechUnits::bytes() const {
  if (pieces_) return pieces_->bytes();
  std::string text;
  for (const std::string& unit : units_) text += unit + '\n';
  return text;
}

std::string SpeechUnits::file_name(const UnitOptions& options) {
  return options.kind == UnitKind::kPieces ? "sentencepiece.model" : "units.txt";
}

const std::string& SpeechUnits::unit(int id) const {
  return pieces_ ? pieces_->piece(id) : units_.at(static_cast<std::size_t>(id));
}

int SpeechUnits::id_of(std::string_view unit) const {
  if (pieces_) return pieces_->id_of(unit);
  const auto it = ids_.find(std::string(unit));
  return it == ids_.end() ? kUnknownUnit : it->second;
}

std::vector<int> SpeechUnits::encode(std::string_view text) const {
  if (pieces_) return pieces_->encode(normalized(text)).ids;
  std::vector<int> ids;
  for (const std::string& part : split(normalized(text))) ids.push_back(id_of(part));
  return ids;
}

std::string SpeechUnits::decode(std::span<const int> ids) const {
  if (pieces_) return pieces_->decode(ids);
  std::string text;
  for (const int id : ids) {
    if (id == 0 || id == kStartUnit || id == kEndUnit) continue;
    const std::string& part = units_.at(static_cast<std::size_t>(id));
    if (options_.kind == UnitKind::kWords && !text.empty()) text += ' ';
    text += id == kUnknownUnit ? kReplacement : part == kSpaceUnit ? " " : part;
  }
  return text;
}

std::string SpeechUnits::between_words() const {
  return options_.kind == UnitKind::kCharacters && !ids_.contains(kSpaceUnit) ? "" : " ";
}

bool SpeechUnits::begins_word(std::span<const int> ids, std::size_t place) const {
  if (place == 0 || options_.kind == UnitKind::kWords) return true;
  if (pieces_) return pieces_->starts_word(ids[place]);
  return unit(ids[place - 1]) == kSpaceUnit;
}

}  // namespace kgwalk::seq2seq
