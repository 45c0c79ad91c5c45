#include "graph/ingest/sorted_records.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <span>
#include <tuple>

namespace kgwalk::graph {
namespace {

constexpr std::size_t kReadBytes = 1 << 18;
constexpr std::size_t kHeadBytes = 8;  // of a record: its length and number

}  // namespace

// A sorted part in the file, read from its begin to its end.
class SortedRecords::Part {
 public:
  Part(const SpoolFile& file, std::uint64_t begin, std::uint64_t end) : file_(file), next_(begin), end_(end) {
    (void)advance();
  }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

  // False at the end.
  bool advance() {
    if (at_ == buffer_.size() && next_ == end_) return false;
    need(kHeadBytes);
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, buffer_.data() + at_, sizeof(bytes));
    std::memcpy(&number_, buffer_.data() + at_ + sizeof(bytes), sizeof(number_));
    need(kHeadBytes + bytes);
    text_ = std::string_view(buffer_).substr(at_ + kHeadBytes, bytes);
    at_ += kHeadBytes + bytes;
    return true;
  }

 private:
  // So many bytes lie in the buffer.
  void need(std::size_t bytes) {
    if (buffer_.size() - at_ >= bytes) return;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t had = buffer_.size();
    const auto more =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(kReadBytes, bytes - had), end_ - next_));
    buffer_.resize(had + more);
    file_.read_at(next_, std::span(buffer_).subspan(had));
    next_ += more;
  }

  const SpoolFile& file_;
  std::uint64_t next_, end_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::string_view text_;
  std::uint32_t number_ = 0;
};

void SortedRecords::add(std::string_view text, std::uint32_t number) {
  if (!records_.empty() && texts_.size() + text.size() + records_.size() * sizeof(Record) > part_bytes_)
    spill();
  records_.push_back({texts_.size(), static_cast<std::uint32_t>(text.size()), number});
  texts_ += text;
}

void SortedRecords::sort() {
  std::sort(records_.begin(), records_.end(), [&](const Record& a, const Record& b) {
    const int order = text_of(a).compare(text_of(b));
    return order != 0 ? order < 0 : a.number < b.number;
  });
}

void SortedRecords::spill() {
  sort();
  if (!file_) file_ = std::make_unique<SpoolFile>(folder_);
  std::string out;
  const auto write = [&] {
    file_->append(out);
    out.clear();
  };
  for (const Record& record : records_) {
    out.append(reinterpret_cast<const char*>(&record.bytes), sizeof(record.bytes));
    out.append(reinterpret_cast<const char*>(&record.number), sizeof(record.number));
    out += text_of(record);
    if (out.size() >= kReadBytes) write();
  }
  write();
  part_ends_.push_back(file_->size());
  records_.clear();
  texts_.clear();
}

void SortedRecords::give_all(const std::function<void(std::string_view, std::uint32_t)>& give) {
  if (part_ends_.empty()) {
    sort();
    for (const Record& record : records_) give(text_of(record), record.number);
    return;
  }
  if (!records_.empty()) spill();
  std::vector<Part> parts;
  parts.reserve(part_ends_.size());
  for (std::size_t i = 0; i < part_ends_.size(); ++i)
    parts.emplace_back(*file_, i == 0 ? 0 : part_ends_[i - 1], part_ends_[i]);
  const auto is_later = [](const Part* a, const Part* b) {
    return std::tuple(a->text(), a->number()) > std::tuple(b->text(), b->number());
  };
  std::priority_queue<Part*, std::vector<Part*>, decltype(is_later)> next(is_later);
  for (Part& part : parts) next.push(&part);
  while (!next.empty()) {
    Part* const part = next.top();
    next.pop();
    give(part->text(), part->number());
    if (part->advance()) next.push(part);
  }
}

}  // namespace kgwalk::graph
