// Texts as vectors: the mean of the states that a text encoder gives their pieces.
//
// Example:
//   const auto embedder = kgwalk::TextEmbedder::open("runs/text");
//   const std::vector<std::string> texts{"a film by Nolan", "who directed it?"};
//   for (const auto& embedded : embedder.embed(texts))
//     std::cout << embedded.vector.size() << " numbers of " << embedded.tokens << " pieces\n";
//
// An embedder owns what it opened; it is immutable and thread-safe. Errors are the tree of kgwalk/error.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kgwalk {

namespace dialogue {
class TextEncoder;
}

struct EmbeddedText {
  std::vector<float> vector;  // [width], of length 1
  std::size_t tokens = 0;     // pieces read, the two at the ends among them
};

class TextEmbedder {
 public:
  // A folder of a pre-trained encoder in Hugging Face's form (ALBERT, BERT), or a run of text pre-training.
  // FormatError when the files are broken or do not fit together.
  [[nodiscard]] static TextEmbedder open(const std::filesystem::path& folder);

  [[nodiscard]] std::size_t width() const;       // of the vectors
  [[nodiscard]] std::size_t max_tokens() const;  // what is longer is read up to there
  // In the order of the texts. ConfigError for text that is not UTF-8.
  [[nodiscard]] std::vector<EmbeddedText> embed(std::span<const std::string> texts) const;

 private:
  explicit TextEmbedder(std::shared_ptr<const dialogue::TextEncoder> encoder);
  std::shared_ptr<const dialogue::TextEncoder> encoder_;
};

}  // namespace kgwalk
