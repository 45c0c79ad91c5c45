// The embedded summarizer of dialogues: opens a trained model once, then summarizes.
//
// Example:
//   const auto summarizer = kgwalk::Summarizer::open("runs/samsum");
//   const auto told = summarizer.summarize({"Ann: Lunch at one?\nBen: Fine, see you there."});
//   std::cout << told.front().text() << '\n';
//
// The model (pointer-generator over a Transformer) is trained by `kgwalk task summarize train`. A summarizer
// owns its weights in memory. summarize() is thread-safe. Nothing here prints; errors are the tree of
// kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/decoded.h"

namespace kgwalk {

class Summarizer {
 public:
  // `path` is a finished run of `kgwalk task summarize train` or the model's folder in it. Errors as
  // Translator::open.
  [[nodiscard]] static Summarizer open(const std::filesystem::path& path,
                                       const DecodingOptions& options = DecodingOptions());

  Summarizer(Summarizer&&) noexcept;
  Summarizer& operator=(Summarizer&&) noexcept;
  ~Summarizer();

  // One result a dialogue, in order. A dialogue is UTF-8 text with one turn a line, "NAME: TEXT"; a line
  // without a name goes on with the turn above.
  [[nodiscard]] std::vector<Decoded> summarize(const std::vector<std::string>& dialogues) const;

 private:
  struct Model;
  explicit Summarizer(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
