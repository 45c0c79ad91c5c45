// The embedded understander of speech: opens a trained model once, then tells what spoken orders mean.
//
// Example:
//   const auto understander = kgwalk::Understander::open("runs/intent");
//   for (const auto& told : understander.understand({"order.wav"}))
//     std::cout << told.label << ' ' << told.probability << '\n';
//
// The model is trained by `kgwalk task slu train`; link kgwalk::speech. An understander owns its weights in
// memory; understand() is thread-safe. Nothing here prints; errors are the tree of kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kgwalk {

// What was understood. A model of intents or emotions fills label and probability, one of slots the slots:
// their types in the order in which they were heard, or "type=value".
struct Understanding {
  std::string label;
  double probability = 0;  // of the label, 0 to 1
  std::vector<std::string> slots;
};

class Understander {
 public:
  // `path` is a finished run of `kgwalk task slu train` or the model's folder in it. FormatError: it is
  // neither, or its files are damaged. IoError.
  [[nodiscard]] static Understander open(const std::filesystem::path& path);

  Understander(Understander&&) noexcept;
  Understander& operator=(Understander&&) noexcept;
  ~Understander();

  // One result a sound file, in order. DataError for a file that is no sound, too short or longer than the
  // model's limit; IoError when it cannot be opened.
  [[nodiscard]] std::vector<Understanding> understand(const std::vector<std::filesystem::path>& files) const;
  // All labels (or slots) that the model knows.
  [[nodiscard]] const std::vector<std::string>& labels() const;

 private:
  struct Model;
  explicit Understander(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
