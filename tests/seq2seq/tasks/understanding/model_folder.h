// Folders in Hugging Face's format that go away with the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq::testing {

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const Json& config, const NamedTensors& weights) const {
    write("config.json", config.dump());
    write_tensors(path_ / "model.safetensors", weights);
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

inline NamedTensors weights_of(const Json& json) {
  NamedTensors weights;
  for (const auto& item : json.items()) weights[item.key()] = tensor_of(item.value(), torch::kFloat32);
  return weights;
}

// What `f` throws, as text; empty when it throws nothing.
template <class Error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace kgwalk::seq2seq::testing
