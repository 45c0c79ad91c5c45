// The embedded translator: opens a trained model once, then translates lines.
//
// Example:
//   const auto translator = kgwalk::Translator::open("runs/en-de");
//   for (const auto& decoded : translator.translate({"A dog runs.", "Two men sit."}))
//     std::cout << decoded.text() << '\n';
//
// The model (Transformer and its cross-layer variants) is trained by `kgwalk task mt train`. A translator
// owns its weights in memory. translate() is thread-safe: any number of threads may call it at once; they
// share the threads of kgwalk/threads.h. Nothing here prints; errors are the tree of kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/decoded.h"

namespace kgwalk {

class Translator {
 public:
  // `path` is a finished run of `kgwalk task mt train` or the model's folder in it. FormatError: it is
  // neither, or its files are damaged or of another kind. ConfigError: an option is out of its range.
  // IoError.
  [[nodiscard]] static Translator open(const std::filesystem::path& path,
                                       const DecodingOptions& options = DecodingOptions());

  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;
  ~Translator();

  // One result a line, in the order of the lines; UTF-8, a sentence a line. They are gathered by length into
  // batches, so that many lines at once are faster than one by one.
  [[nodiscard]] std::vector<Decoded> translate(const std::vector<std::string>& lines) const;

 private:
  struct Model;
  explicit Translator(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
