#include "runtime/sharded_work.h"

#include <charconv>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/atomic_file.h"

namespace kgwalk {

// The first line of a part: who made it.
struct PartHead {
  std::vector<std::string> command;
  int shard = 0, of = 0;
};

namespace {

// docs/reference/formats/parts.md
constexpr const char* kPartMagic = "kgwalk part";
constexpr int kPartVersion = 1;

[[noreturn]] void refuse_part(const std::filesystem::path& file, const std::string& why) {
  throw FormatError(file.string() + ": " + why);
}

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The lines of a part, each a json object.
class PartReader {
 public:
  explicit PartReader(std::filesystem::path file) : file_(std::move(file)), in_(file_) {
    if (!in_) throw IoError(file_.string() + ": cannot be read");
  }

  std::optional<Json> next() {
    std::string line;
    if (!std::getline(in_, line)) return std::nullopt;
    ++lines_;
    Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) refuse_part(file_, "line " + std::to_string(lines_) + " is no json object");
    return json;
  }

  PartHead head() {
    const std::optional<Json> json = next();
    if (!json || json->value("format", "") != kPartMagic)
      refuse_part(file_, "is no part of a batch of work (docs/reference/formats/parts.md)");
    if (json->value("version", 0) != kPartVersion)
      refuse_part(file_, "is of version " + std::to_string(json->value("version", 0)) +
                             ", this program reads " + std::to_string(kPartVersion));
    return {json->at("command").get<std::vector<std::string>>(), json->at("shard").get<int>(),
            json->at("of").get<int>()};
  }

 private:
  std::filesystem::path file_;
  std::ifstream in_;
  std::size_t lines_ = 0;
};

}  // namespace

bool is_sharded(const Shards& shards) {
  return shards.of > 1 || !shards.part.empty() || !shards.parts.empty();
}

void read_shard(const std::string& text, Shards& shards) {
  const std::size_t slash = text.find('/');
  const auto shard = number_in(std::string_view(text).substr(0, slash));
  const auto of =
      slash == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(slash + 1));
  if (!shard || !of || *shard < 1 || *of < *shard)
    throw ConfigError("'" + text + "' names no shard: 2/8 is the second of eight, they go from 1/8 to 8/8");
  shards.shard = *shard;
  shards.of = *of;
}

std::vector<std::string> command_of_part(const std::filesystem::path& part) {
  return PartReader(part).head().command;
}

class ShardedWork::Part {
 public:
  explicit Part(const Shards& shards) : file_(shards.part) {
    write({{"format", kPartMagic},
           {"version", kPartVersion},
           {"command", shards.command},
           {"shard", shards.shard},
           {"of", shards.of}});
  }
  void keep(std::int64_t number, const Json& result) {
    const std::lock_guard lock(mutex_);
    ++kept_;
    write({{"unit", number}, {"result", result}});
  }
  std::int64_t end(std::int64_t units, const Json& rests_on) {
    write({{"units", units}, {"rests_on", rests_on}});
    file_.commit();
    return kept_;
  }

 private:
  void write(const Json& line) { file_.write(line.dump() + '\n'); }
  std::mutex mutex_;
  AtomicFile file_;
  std::int64_t kept_ = 0;
};

class ShardedWork::Merged {
 public:
  explicit Merged(const std::vector<std::filesystem::path>& parts) {
    for (const std::filesystem::path& part : parts) read(part);
    if (static_cast<int>(parts.size()) != first_.of)
      refuse_part(parts.front(), "is one of " + std::to_string(first_.of) + " shards, but " +
                                     std::to_string(parts.size()) + " parts are given");
    if (const std::int64_t missing = units_ - static_cast<std::int64_t>(results_.size()); missing > 0)
      refuse_part(parts.front(), "the parts lack " + std::to_string(missing) + " of " +
                                     std::to_string(units_) + " units of the work");
  }

  [[nodiscard]] Json result(std::int64_t number) const {
    if (number >= units_)
      throw FormatError("the parts hold " + std::to_string(units_) +
                        " units, but there is more work: what they were made from has changed since");
    return Json::parse(results_.at(number));
  }
  [[nodiscard]] std::int64_t units() const { return units_; }
  [[nodiscard]] const Json& rests_on() const { return rests_on_; }

 private:
  void read(const std::filesystem::path& part) {
    try {
      read_lines(part);
    } catch (const Json::exception& error) {
      refuse_part(part, std::string("is damaged: ") + error.what());
    }
  }

  void read_lines(const std::filesystem::path& part) {
    PartReader reader(part);
    const PartHead head = reader.head();
    if (seen_.empty()) first_ = head;
    if (head.command != first_.command || head.of != first_.of)
      refuse_part(part, "is of other work than the first part: another command or number of shards");
    seen_.resize(static_cast<std::size_t>(head.of));
    if (head.shard < 1 || head.shard > head.of) refuse_part(part, "is of a shard that there is not");
    std::string& seen = seen_[static_cast<std::size_t>(head.shard - 1)];
    if (!seen.empty()) refuse_part(part, "is of the same shard as " + seen);
    seen = part.string();
    std::optional<Json> line = reader.next();
    for (; line && line->contains("unit"); line = reader.next()) take(part, *line);
    if (!line || !line->contains("units")) refuse_part(part, "has lost its end; do this shard again");
    take_end(part, *line);
  }

  void take(const std::filesystem::path& part, const Json& line) {
    const auto number = line.at("unit").get<std::int64_t>();
    if (number < 0 || !results_.emplace(number, line.at("result").dump()).second)
      refuse_part(part, "holds unit " + std::to_string(number) + " once more, or there is no such unit");
  }

  void take_end(const std::filesystem::path& part, const Json& line) {
    const auto units = line.at("units").get<std::int64_t>();
    if (rests_on_.is_null()) {
      rests_on_ = line.at("rests_on");
      units_ = units;
    }
    if (line.at("rests_on") != rests_on_ || units != units_)
      refuse_part(part, "was made from other data than the first part: " + line.dump() + ", there " +
                            Json({{"units", units_}, {"rests_on", rests_on_}}).dump());
    if (!results_.empty() && results_.rbegin()->first >= units)
      refuse_part(part, "holds more units than it tells of");
  }

  PartHead first_;
  std::vector<std::string> seen_;                // file of each shard
  std::map<std::int64_t, std::string> results_;  // json of each unit
  Json rests_on_;
  std::int64_t units_ = 0;  // as the first part tells
};

ShardedWork::ShardedWork() = default;
ShardedWork::~ShardedWork() = default;

ShardedWork::ShardedWork(const Shards& shards) : shards_(shards) {
  if (shards.shard < 1 || shards.shard > shards.of)
    throw ConfigError("shard " + std::to_string(shards.shard) + " of " + std::to_string(shards.of) +
                      ": there is no such shard; they are counted from 1");
  if (!shards.parts.empty() && (shards.of > 1 || !shards.part.empty()))
    throw ConfigError("a shard is done, or parts are merged: not both at once");
  if (shards.of > 1 && shards.part.empty())
    throw ConfigError("a shard needs a file for its part of the results", Remedy{Remedy::kGive, "part"});
  if (!shards.part.empty()) part_ = std::make_unique<Part>(shards);
  if (!shards.parts.empty()) merged_ = std::make_unique<const Merged>(shards.parts);
}

void ShardedWork::rests_on(std::string_view what, const Json& value) {
  rests_on_[std::string(what)] = value;
  if (merged_ == nullptr) return;
  const Json& before = merged_->rests_on();
  if (const auto at = before.find(what); at == before.end() || *at != value)
    throw FormatError("the parts were made from another " + std::string(what) + " (" +
                      (at == before.end() ? "none" : at->dump()) + ", now " + value.dump() + ")");
}

bool ShardedWork::is_part() const { return part_ != nullptr; }

std::int64_t ShardedWork::take(std::int64_t count) { return std::exchange(taken_, taken_ + count); }

bool ShardedWork::is_mine(std::int64_t number) const { return number % shards_.of == shards_.shard - 1; }

Json ShardedWork::known(std::int64_t number) const { return merged_->result(number); }

void ShardedWork::keep(std::int64_t number, const Json& result) { part_->keep(number, result); }

std::optional<ShardDone> ShardedWork::end() {
  if (merged_ != nullptr && merged_->units() != taken_)
    throw FormatError("the parts hold " + std::to_string(merged_->units()) + " units, but the work has " +
                      std::to_string(taken_) + ": what they were made from has changed since");
  if (part_ == nullptr) return std::nullopt;
  const std::int64_t kept = part_->end(taken_, rests_on_);
  const std::string shard = std::to_string(shards_.shard) + " of " + std::to_string(shards_.of);
  return ShardDone{.text = "shard " + shard + ": " + std::to_string(kept) + " of " + std::to_string(taken_) +
                           " units of the work, in " + shards_.part.string() + "\n",
                   .json = {{"shard", shards_.shard},
                            {"of", shards_.of},
                            {"units", taken_},
                            {"done", kept},
                            {"part", shards_.part.string()}}};
}

}  // namespace kgwalk
