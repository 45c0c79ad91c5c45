#include "listening/network/start_weights.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "kgwalk/error.h"
#include "listening/candidates/features.h"
#include "runtime/config.h"
#include "runtime/run_folder.h"
#include "runtime/safetensors.h"
#include "runtime/tensor/checkpoint.h"

namespace kgwalk::listening {

extern const std::string_view kSchooled;

namespace {

using Lines = std::vector<std::string>;
using torch::Tensor;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

Lines strings_of(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

// Columns of `from`, whose names are `known`, in the order of `wanted`, those behind them as they stand; 0
// where a name is not known. Undefined where the columns behind are not as many as in `like`.
Tensor by_name(const Tensor& from, const Lines& known, const Lines& wanted, const Tensor& like) {
  const auto columns = [](const Lines& names) { return static_cast<std::int64_t>(names.size()); };
  if (from.dim() != 2 || from.size(0) != like.size(0) ||
      from.size(1) - columns(known) != like.size(1) - columns(wanted))
    return {};
  Tensor out = torch::zeros(like.sizes());
  for (std::int64_t i = 0; i < columns(wanted); ++i) {
    const auto at = std::find(known.begin(), known.end(), wanted[static_cast<std::size_t>(i)]);
    if (at != known.end()) out.select(1, i).copy_(from.select(1, at - known.begin()));
  }
  out.slice(1, columns(wanted)).copy_(from.slice(1, columns(known)));
  return out;
}

// Rows of `from`, whose names are `known`, in the order of `wanted`; 0 where a name is not known. Undefined
// where they are not as many as their names.
Tensor rows_by_name(const Tensor& from, const Lines& known, const Lines& wanted) {
  if (from.dim() == 0 || from.size(0) != static_cast<std::int64_t>(known.size())) return {};
  std::vector<std::int64_t> sizes = from.sizes().vec();
  sizes[0] = static_cast<std::int64_t>(wanted.size());
  Tensor out = torch::zeros(sizes);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto at = std::find(known.begin(), known.end(), wanted[i]);
    if (at != known.end()) out[static_cast<std::int64_t>(i)].copy_(from[at - known.begin()]);
  }
  return out;
}

// The ways of weights that were written before they were named.
const Lines kFirstWays = {"set",   "check", "first", "last", "after", "before", "at",
                          "which", "least", "more",  "less", "same",  "count"};

constexpr std::string_view kWayRows[] = {"way_of_state.weight", "way_of_state.bias", "way_of_cues.weight",
                                         "way_of_best"};
constexpr std::string_view kFeatureColumns[] = {"linear.weight", "hidden.weight", "way_of_numbers.weight"};
constexpr std::string_view kCueColumns = "way_of_cues.weight", kNotLearned = "keep",
                           kEncoded = "words.encoded", kNumbersOfWays = "way_of_numbers.weight";

template <std::size_t n>
bool is_one_of(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

StartWeights::StartWeights(std::string name, NamedTensors tensors, Lines features, Lines cues, Lines ways,
                           std::string encoder)
    : name_(std::move(name)),
      tensors_(std::move(tensors)),
      features_(std::move(features)),
      cues_(std::move(cues)),
      ways_(std::move(ways)),
      encoder_(std::move(encoder)) {}

StartWeights StartWeights::read(const SafetensorsFile& file, std::string name) {
  const auto features = file.metadata().find("features"), cues = file.metadata().find("cues");
  if (features == file.metadata().end() || cues == file.metadata().end())
    throw FormatError(name + ": holds no weights of a listener to begin with");
  NamedTensors tensors;
  // Copies, of whatever type: the file goes.
  for (const auto& [key, tensor] : views_of(file))
    tensors.emplace(key, tensor.to(torch::kFloat32, /*non_blocking=*/false, /*copy=*/true));
  const auto encoder = file.metadata().find("encoder"), ways = file.metadata().find("ways");
  return {std::move(name),
          std::move(tensors),
          lines_of(features->second),
          lines_of(cues->second),
          ways == file.metadata().end() ? kFirstWays : lines_of(ways->second),
          encoder == file.metadata().end() ? "" : encoder->second};
}

StartWeights StartWeights::schooled() {
  const std::string name = "the listener that comes with the program";
  return read(SafetensorsFile::of_bytes(kSchooled, name), name);
}

StartWeights StartWeights::of_file(const std::filesystem::path& file) {
  return read(SafetensorsFile(file), file.string());
}

StartWeights StartWeights::of_run(const RunFolder& run) {
  return {run.path().string(),         read_checkpoint_model(run.need_checkpoint("best")),
          strings_of(feature_names()), strings_of(cue_names()),
          strings_of(way_names()),     run.manifest().checksums.value("text", "")};
}

void StartWeights::copy_to(FormScorer& scorer, const std::string& encoder) const {
  const Lines features = strings_of(feature_names()), cues = strings_of(cue_names());
  Problems problems;
  NamedTensors taken;
  for (const auto& [name, into] : state_of(*scorer)) {
    const auto from = tensors_.find(name);
    const bool fresh = (name == kEncoded && (from == tensors_.end() || encoder != encoder_)) ||
                       (name == kNumbersOfWays && from == tensors_.end());
    if (fresh) {
      taken.emplace(name, into);
      continue;
    }
    if (name == kNotLearned || from == tensors_.end()) {
      taken.emplace(name, into);
      if (name != kNotLearned) problems.add(name, "is not there");
      continue;
    }
    Tensor tensor = from->second;
    if (is_one_of(name, kWayRows)) tensor = rows_by_name(tensor, ways_, strings_of(way_names()));
    if (!tensor.defined()) {
      problems.add(name, "is of other ways of asking than it names");
      continue;
    }
    if (is_one_of(name, kFeatureColumns))
      tensor = by_name(tensor, features_, features, into);
    else if (name == kCueColumns)
      tensor = by_name(tensor, cues_, cues, into);
    if (!tensor.defined() || tensor.sizes() != into.sizes())
      problems.add(name, "is of another width than the options of this training ask for");
    taken.emplace(name, std::move(tensor));
  }
  for (const auto& [name, tensor] : tensors_)
    if (!taken.contains(name) && name != kEncoded)
      problems.add(name, "is unknown to the options of this training");
  problems.throw_if_any(name_ +
                        " cannot be begun with (leave the options of its size as they are, or begin " +
                        "with nothing: --from nothing)");
  load_state(*scorer, taken, name_);
}

void StartWeights::write(const std::filesystem::path& file) const {
  NamedTensors halves;
  for (const auto& [name, tensor] : tensors_)
    if (name != kNotLearned) halves.emplace(name, tensor.to(torch::kFloat16));
  write_tensors(file, halves,
                {{"features", joined(features_)},
                 {"cues", joined(cues_)},
                 {"ways", joined(ways_)},
                 {"encoder", encoder_}});
}

}  // namespace kgwalk::listening
