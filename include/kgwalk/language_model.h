// The embedded language model over words: how likely a text is, and how a line may go on.
//
// Example:
//   const auto model = kgwalk::LanguageModel::open("runs/lm");
//   std::cout << model.perplexity({"a line of text", "and another one"}).per_word << '\n';
//   for (const std::string& text : model.continue_line("once upon a")) std::cout << text << '\n';
//
// The model is trained by `kgwalk task lm train`. It owns its weights in memory; its const functions are
// thread-safe. Nothing here prints; errors are the tree of kgwalk/error.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kgwalk {

struct Perplexity {
  double per_word = 0;       // exp of the mean of -log p a word, ends of lines counted; 0 of no line
  double log_prob = 0;       // natural logarithm, of the whole text
  std::int64_t words = 0;    // ends of lines included
  std::int64_t unknown = 0;  // of these, words that the model's vocabulary does not hold
};

// What is 0 stays as the model was trained with.
struct LanguageModelOptions {
  int beam = 0;   // hypotheses kept when a line is continued, 1 to 1000
  int nbest = 1;  // continuations given for a line, 1 to beam
  int words = 0;  // longest continuation in words, from 1
  int window =
      0;  // words seen at once by perplexity(), from 1; at most the training's where positions are absolute
  int stride =
      0;  // of them told in each window but the first, 1 to window: the smaller, the better and slower
};

class LanguageModel {
 public:
  // `path` is a finished run of `kgwalk task lm train` or the model's folder in it. FormatError: it is
  // neither, or its files are damaged. ConfigError: an option is out of its range. IoError.
  [[nodiscard]] static LanguageModel open(const std::filesystem::path& path,
                                          const LanguageModelOptions& options = LanguageModelOptions());

  LanguageModel(LanguageModel&&) noexcept;
  LanguageModel& operator=(LanguageModel&&) noexcept;
  ~LanguageModel();

  // Perplexity of a text of lines, words separated by spaces; each word is told after those before it in a
  // sliding window, across the ends of lines.
  [[nodiscard]] Perplexity perplexity(const std::vector<std::string>& lines) const;
  // What may follow `text` on its line, best first, at most nbest: words separated by spaces, empty where the
  // line should end; words that the model does not know are never written. Of a text longer than the window
  // its last words are seen.
  [[nodiscard]] std::vector<std::string> continue_line(const std::string& text) const;

 private:
  struct Model;
  explicit LanguageModel(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
