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
  double per_word = 0;       // exp of the mean negative log-likelihood; ends of lines count as words
  double log_prob = 0;       // natural logarithm, of the whole text
  std::int64_t words = 0;    // ends of lines included
  std::int64_t unknown = 0;  // of these, words that the model's vocabulary does not hold
};

struct LanguageModelSettings {
  int beam = 0;    // hypotheses kept when a line is continued, 1 to 1000; 0 = as the model was trained with
  int nbest = 1;   // continuations given for a line, 1 to beam
  int words = 0;   // longest continuation in words; 0 = as the model was trained with
  int window = 0;  // words seen at once by perplexity(), at most the training's; 0 = as it was trained with
  int stride = 0;  // of them told in each window but the first, 1 to window; 0 = as it was trained with
};

class LanguageModel {
 public:
  // `path` is a finished run of `kgwalk task lm train` or the model's folder in it. FormatError: it is neither, or
  // its files are damaged. ConfigError: a setting is out of its range. IoError.
  [[nodiscard]] static LanguageModel open(const std::filesystem::path& path,
                                          const LanguageModelSettings& settings = LanguageModelSettings());

  LanguageModel(LanguageModel&&) noexcept;
  LanguageModel& operator=(LanguageModel&&) noexcept;
  ~LanguageModel();

  // Of a text of lines, words separated by spaces; each word is told after those before it in a sliding window.
  [[nodiscard]] Perplexity perplexity(const std::vector<std::string>& lines) const;
  // What may follow `text` on its line, best first. Of a longer text its last words are seen.
  [[nodiscard]] std::vector<std::string> continue_line(const std::string& text) const;

 private:
  struct Model;
  explicit LanguageModel(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
