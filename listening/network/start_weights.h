// Weights that the training of a scorer begins with: those of one that was trained before. Features are found
// by their names, so that a program with other features takes them too.
//
// The one that comes with the program went to school: it learned from questions about made-up graphs alone
// (`kgwalk listen school`), so it knows no name and no relation of anybody's graph. It is
// data/listener/schooled.safetensors, with the names of its features in the header.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "listening/network/form_scorer.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk {
class RunFolder;
class SafetensorsFile;
}  // namespace kgwalk

namespace kgwalk::listening {

class StartWeights {
 public:
  // Compiled in.
  [[nodiscard]] static StartWeights schooled();
  // As write() wrote them. FormatError when the file is none.
  [[nodiscard]] static StartWeights of_file(const std::filesystem::path& file);
  // The best of a run that was trained with this program's features.
  [[nodiscard]] static StartWeights of_run(const RunFolder& run);

  // ConfigError, naming all that differs, when the widths of `scorer` are others. What a feature is worth
  // or a way of asking says that these weights do not know is 0, and so is what `encoder` says, the checksum
  // of a text encoder, when they learned with another or with none.
  void copy_to(FormScorer& scorer, const std::string& encoder) const;

  // In half precision.
  void write(const std::filesystem::path& file) const;
  [[nodiscard]] std::string checksum() const { return checksum_of(tensors_); }

 private:
  static StartWeights read(const SafetensorsFile& file, std::string name);
  StartWeights(std::string name, NamedTensors tensors, std::vector<std::string> features,
               std::vector<std::string> cues, std::vector<std::string> ways, std::string encoder);
  std::string name_;  // in errors
  NamedTensors tensors_;
  std::vector<std::string> features_, cues_, ways_;
  std::string encoder_;  // checksum of the text encoder
};

}  // namespace kgwalk::listening
