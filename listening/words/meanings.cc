#include "listening/words/meanings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "kgwalk/error.h"
#include "runtime/safetensors.h"

namespace kgwalk::listening {

extern const std::string_view kMeanings;

namespace {

class MeaningTable {
 public:
  static const MeaningTable& get() {
    static const MeaningTable table;
    return table;
  }

  [[nodiscard]] Meaning of(std::string_view word) const {
    const auto found = places_.find(word);
    if (found == places_.end()) return {};
    const std::string_view row = bytes_.substr(found->second * kMeaningWidth, kMeaningWidth);
    return {reinterpret_cast<const std::int8_t*>(row.data()), kMeaningWidth};
  }

 private:
  MeaningTable() : file_(SafetensorsFile::of_bytes(kMeanings, "the meanings of words")) {
    const std::optional<TensorView> vectors = file_.find("vectors");
    const auto words = file_.metadata().find("words");
    if (!vectors || vectors->dtype != DType::kI8 || vectors->shape.size() != 2 ||
        vectors->shape[1] != static_cast<std::int64_t>(kMeaningWidth) || words == file_.metadata().end())
      throw FormatError("the meanings of words that come with the program are damaged");
    bytes_ = vectors->bytes;
    const std::string_view all = words->second;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find(' ', at), all.size());
      places_.emplace(all.substr(at, end - at), places_.size());
      at = end + 1;
    }
    if (places_.size() != static_cast<std::size_t>(vectors->shape[0]))
      throw FormatError("the meanings of words that come with the program are damaged");
  }

  SafetensorsFile file_;
  std::string_view bytes_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

std::int32_t product(Meaning a, Meaning b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < kMeaningWidth; ++i)
    sum += static_cast<std::int32_t>(a[i]) * static_cast<std::int32_t>(b[i]);
  return sum;
}

}  // namespace

Meaning meaning_of(std::string_view folded) {
  const MeaningTable& table = MeaningTable::get();
  const Meaning own = table.of(folded);
  if (!own.empty() || folded.size() < 4 || !folded.ends_with('s')) return own;
  if (folded.ends_with("ies")) return table.of(std::string(folded.substr(0, folded.size() - 3)) + "y");
  return table.of(folded.substr(0, folded.size() - 1));
}

float nearness(Meaning a, Meaning b) {
  if (a.empty() || b.empty()) return 0;
  const auto lengths = static_cast<float>(product(a, a)) * static_cast<float>(product(b, b));
  return lengths > 0 ? static_cast<float>(product(a, b)) / std::sqrt(lengths) : 0;
}

}  // namespace kgwalk::listening
