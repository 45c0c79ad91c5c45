#include "runtime/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "runtime/config.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian");

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<DTypeInfo, 10> kDTypes{{{DType::kF32, "F32", 4},
                                             {DType::kF64, "F64", 8},
                                             {DType::kF16, "F16", 2},
                                             {DType::kBF16, "BF16", 2},
                                             {DType::kI64, "I64", 8},
                                             {DType::kI32, "I32", 4},
                                             {DType::kI16, "I16", 2},
                                             {DType::kI8, "I8", 1},
                                             {DType::kU8, "U8", 1},
                                             {DType::kBool, "BOOL", 1}}};
constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::string_view kMetadata = "__metadata__";

const DTypeInfo& info_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

std::optional<std::uint64_t> times(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
  return a * b;
}

bool is_count(const Json& json) {
  return json.is_number_unsigned() &&
         json.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

struct Entry {
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

// Reads the header and collects what is wrong with it.
class HeaderReader {
 public:
  HeaderReader(std::string_view data, Problems& problems) : data_(data), problems_(problems) {}

  void read(const Json& header) {
    for (const auto& item : header.items()) {
      if (item.key() == kMetadata)
        read_metadata(item.value());
      else
        read_tensor(item.key(), item.value());
    }
    check_cover();
  }

  std::map<std::string, TensorView, std::less<>> tensors;
  std::map<std::string, std::string> metadata;

 private:
  void read_metadata(const Json& json) {
    if (!json.is_object()) return problems_.add(kMetadata, "is no object");
    for (const auto& item : json.items()) {
      if (item.value().is_string())
        metadata[item.key()] = item.value().get<std::string>();
      else
        problems_.add(kMetadata, "the value of '" + item.key() + "' is no text");
    }
  }

  void read_tensor(const std::string& name, const Json& json) {
    const auto bad = [&](const std::string& why) { problems_.add("tensor '" + name + "'", why); };
    if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
        !json.contains("data_offsets"))
      return bad("must have exactly dtype, shape and data_offsets");
    const Json& offsets = json["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 || !is_count(offsets[0]) || !is_count(offsets[1]))
      return bad("data_offsets must be two counts of bytes");
    const Entry entry{name, offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()};
    if (entry.begin > entry.end) return bad("data_offsets end before they begin");
    if (entry.end > data_.size())
      return bad("ends at byte " + std::to_string(entry.end) + " of " + std::to_string(data_.size()) +
                 " there are");
    entries_.push_back(entry);
    TensorView view;
    if (const std::string why = read_type(json, view); !why.empty()) return bad(why);
    const auto bytes = size_in_bytes(view);
    if (!bytes || *bytes != entry.end - entry.begin)
      return bad("its shape needs " + (bytes ? std::to_string(*bytes) : "too many") +
                 " bytes, its offsets hold " + std::to_string(entry.end - entry.begin));
    view.bytes = data_.substr(entry.begin, entry.end - entry.begin);
    tensors.emplace(name, std::move(view));
  }

  static std::string read_type(const Json& json, TensorView& view) {
    const Json& dtype = json["dtype"];
    const auto* known =
        std::find_if(kDTypes.begin(), kDTypes.end(), [&](const DTypeInfo& d) { return dtype == d.name; });
    if (known == kDTypes.end()) return "its dtype " + dtype.dump() + " is not supported";
    view.dtype = known->dtype;
    const Json& shape = json["shape"];
    if (!shape.is_array() || !std::all_of(shape.begin(), shape.end(), is_count))
      return "its shape is no list of counts";
    view.shape = shape.get<std::vector<std::int64_t>>();
    return "";
  }

  static std::optional<std::uint64_t> size_in_bytes(const TensorView& view) {
    std::optional<std::uint64_t> size = size_of(view.dtype);
    // A zero anywhere makes the product zero, however large the others are.
    if (std::find(view.shape.begin(), view.shape.end(), 0) != view.shape.end()) return 0;
    for (const std::int64_t n : view.shape)
      if (size) size = times(*size, static_cast<std::uint64_t>(n));
    return size;
  }

  void check_cover() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    std::uint64_t position = 0;
    for (const Entry& entry : entries_) {
      if (entry.begin < position)
        problems_.add("tensor '" + entry.name + "'", "overlaps the tensor before it");
      else if (entry.begin > position)
        problems_.add("tensor '" + entry.name + "'",
                      "is preceded by a hole of " + std::to_string(entry.begin - position) + " bytes");
      position = std::max(position, entry.end);
    }
    if (position < data_.size() && problems_.empty())
      problems_.add("", std::to_string(data_.size() - position) + " bytes at the end belong to no tensor");
  }

  std::string_view data_;
  Problems& problems_;
  std::vector<Entry> entries_;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw FormatError(path.string() + ": is no valid safetensors file: " + why);
}

// The header's json text and the data behind it.
std::pair<std::string_view, std::string_view> split(const std::filesystem::path& path,
                                                    std::string_view file) {
  std::uint64_t length = 0;
  if (file.size() < sizeof length) refuse(path, "shorter than its 8-byte header length");
  std::memcpy(&length, file.data(), sizeof length);
  if (length > kMaxHeader)
    refuse(path, "the header claims " + std::to_string(length) + " bytes (at most 100,000,000)");
  if (length > file.size() - sizeof length)
    refuse(path, "the header claims " + std::to_string(length) + " bytes, the file has " +
                     std::to_string(file.size() - sizeof length) + " behind its length");
  return {file.substr(sizeof length, length), file.substr(sizeof length + length)};
}

}  // namespace

std::size_t size_of(DType dtype) { return info_of(dtype).size; }
std::string_view name_of(DType dtype) { return info_of(dtype).name; }

struct SafetensorsFile::Impl {
  std::optional<MappedFile> file;  // absent where the bytes are somebody else's
  std::map<std::string, TensorView, std::less<>> tensors;
  std::map<std::string, std::string> metadata;

  void read(std::string_view bytes, const std::filesystem::path& name) {
    const auto [text, data] = split(name, bytes);
    if (!text.starts_with('{')) refuse(name, "the header does not begin with '{'");
    const Json header = parse_json(text, name.string() + " (header)");
    Problems problems;
    HeaderReader reader(data, problems);
    reader.read(header);
    if (!problems.empty()) {
      std::string why;
      for (const std::string& problem : problems.list()) why += (why.empty() ? "" : "; ") + problem;
      refuse(name, why);
    }
    tensors = std::move(reader.tensors);
    metadata = std::move(reader.metadata);
  }
};

SafetensorsFile::SafetensorsFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  impl_->file.emplace(path);
  impl_->read(impl_->file->bytes(), path);
}

SafetensorsFile SafetensorsFile::of_bytes(std::string_view bytes, const std::string& name) {
  auto impl = std::make_unique<Impl>();
  impl->read(bytes, name);
  return SafetensorsFile(std::move(impl));
}

SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : impl_->tensors) names.push_back(name);
  return names;
}

std::optional<TensorView> SafetensorsFile::find(std::string_view name) const {
  const auto it = impl_->tensors.find(name);
  return it == impl_->tensors.end() ? std::nullopt : std::optional(it->second);
}

const std::map<std::string, std::string>& SafetensorsFile::metadata() const { return impl_->metadata; }

void write_safetensors(const std::filesystem::path& path, const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  // The format allows no padding between tensors: wide types first keeps every tensor aligned to
  // its own type.
  std::vector<const std::pair<const std::string, TensorView>*> order;
  for (const auto& item : tensors) order.push_back(&item);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return size_of(a->second.dtype) > size_of(b->second.dtype);
  });
  Json header = Json::object();
  if (!metadata.empty()) header[std::string(kMetadata)] = metadata;
  std::uint64_t position = 0;
  for (const auto* item : order) {
    const TensorView& view = item->second;
    std::uint64_t count = 1;
    for (const std::int64_t n : view.shape) count *= static_cast<std::uint64_t>(n);
    if (count * size_of(view.dtype) != view.bytes.size() || item->first == kMetadata)
      throw ShapeError("tensor '" + item->first + "': its shape and type do not fit its " +
                       std::to_string(view.bytes.size()) + " bytes");
    header[item->first] = {{"dtype", name_of(view.dtype)},
                           {"shape", view.shape},
                           {"data_offsets", {position, position + view.bytes.size()}}};
    position += view.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.reserve(sizeof length + text.size() + position);
  bytes += text;
  for (const auto* item : order) bytes += item->second.bytes;
  write_file_atomically(path, bytes);
}

}  // namespace kgwalk
