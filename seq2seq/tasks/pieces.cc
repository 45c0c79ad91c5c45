#include "seq2seq/tasks/pieces.h"

#include "seq2seq/text/spm_train.h"
#include "seq2seq/text/unicode_text.h"

namespace kgwalk::seq2seq {

std::string prepared_text(std::string_view text, const PieceOptions& options) {
  return options.lower ? lower_case(text) : std::string(text);
}

std::vector<int> encode_line(const SentencePiece& vocabulary, std::string_view text,
                             const PieceOptions& options) {
  std::vector<int> ids = vocabulary.encode(prepared_text(text, options)).ids;
  ids.push_back(vocabulary.id_of(kEndPiece));
  return ids;
}

std::vector<int> sample_line(const SentencePiece& vocabulary, std::string_view text,
                             const PieceOptions& options, double strength, Random& random) {
  std::vector<int> ids = vocabulary.sample(prepared_text(text, options), strength, random).ids;
  ids.push_back(vocabulary.id_of(kEndPiece));
  return ids;
}

SentencePiece train_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& each,
                           const PieceOptions& options, const std::filesystem::path& scratch,
                           const std::vector<std::string>& control) {
  std::vector<std::string> lines;
  each([&](std::string_view line) { lines.push_back(prepared_text(line, options)); });
  VocabularyOptions vocabulary;
  vocabulary.size = options.size;
  vocabulary.algorithm = options.algorithm.name();
  vocabulary.fold_case = false;
  vocabulary.coverage = options.coverage;
  vocabulary.control = {kStartPiece, kEndPiece};
  vocabulary.control.insert(vocabulary.control.end(), control.begin(), control.end());
  std::filesystem::create_directories(scratch);
  SentencePiece trained = train_sentencepiece(lines, vocabulary, scratch);
  std::filesystem::remove_all(scratch);
  return trained;
}

}  // namespace kgwalk::seq2seq
