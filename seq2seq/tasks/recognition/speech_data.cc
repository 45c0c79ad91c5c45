#include "seq2seq/tasks/recognition/speech_data.h"

#include <algorithm>
#include <unordered_map>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/parallel.h"
#include "seq2seq/search/ctc.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

std::vector<std::string> split_fields(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string::npos) return fields;
    begin = end + 1;
  }
}

struct Condition {
  std::string column, value;
};

// Takes "#COLUMN=VALUE" off the end.
Condition take_condition(std::string& list) {
  const std::size_t hash = list.rfind('#');
  if (hash == std::string::npos || fs::exists(list)) return {};
  const std::size_t equal = list.find('=', hash);
  if (equal == std::string::npos) throw ConfigError(list + ": what follows # must be COLUMN=VALUE");
  Condition condition{list.substr(hash + 1, equal - hash - 1), list.substr(equal + 1)};
  list.resize(hash);
  return condition;
}

std::vector<Recording> read_table(const fs::path& file, const Condition& condition) {
  const std::vector<std::string> lines = read_text_lines(file);
  if (lines.empty()) throw DataError(file.string(), 0, "is empty; the first line must name the columns");
  const std::vector<std::string> names = split_fields(lines[0]);
  const auto column = [&](const std::string& name) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
      throw DataError(file.string(), 1, "has no column '" + name + "'; columns are split by tabs");
    return static_cast<std::size_t>(it - names.begin());
  };
  const std::size_t path = column("path"), text = column("text");
  const std::size_t tested = condition.column.empty() ? 0 : column(condition.column);
  std::vector<Recording> recordings;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::vector<std::string> fields = split_fields(lines[i]);
    if (fields.size() != names.size())
      throw DataError(file.string(), i + 1,
                      "has " + std::to_string(fields.size()) + " columns, the first line " +
                          std::to_string(names.size()));
    if (!condition.column.empty() && fields[tested] != condition.value) continue;
    recordings.push_back({file.parent_path() / fields[path], fields[text]});
  }
  return recordings;
}

// "TEXT (NAME)" by the last part of the name; <s>, </s> and <sil> are left out.
std::unordered_map<std::string, std::string> read_transcriptions(const fs::path& file) {
  std::unordered_map<std::string, std::string> texts;
  const std::vector<std::string> lines = read_text_lines(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t open = lines[i].rfind('('), close = lines[i].rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
      throw DataError(file.string(), i + 1, "does not end with a name in brackets");
    std::string text = lines[i].substr(0, open);
    for (const std::string_view mark : {"<s>", "</s>", "<sil>"})
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.erase(at, mark.size());
    texts.insert_or_assign(lines[i].substr(open + 1, close - open - 1), text);
  }
  return texts;
}

std::vector<Recording> read_sphinx_list(const fs::path& file) {
  const fs::path transcription = fs::path(file).replace_extension(".transcription");
  const auto texts = read_transcriptions(transcription);
  const fs::path root = file.parent_path() / "..";
  const bool features = fs::is_directory(root / "feat");
  std::vector<Recording> recordings;
  const std::vector<std::string> lines = read_text_lines(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const auto text = texts.find(fs::path(lines[i]).filename().string());
    if (text == texts.end())
      throw DataError(file.string(), i + 1, "'" + lines[i] + "' has no line in " + transcription.string());
    const fs::path base = root / (features ? "feat" : "wav") / lines[i];
    recordings.push_back({base.string() + (features ? ".mfc" : ".wav"), text->second});
  }
  return recordings;
}

// Frames at `speed` times the pace, between neighbors linearly.
Tensor at_speed(const Tensor& x, double speed) {
  if (speed == 1 || x.size(0) < 2) return x;
  const auto frames = std::max<std::int64_t>(1, std::llround(static_cast<double>(x.size(0)) / speed));
  const Tensor from = (torch::arange(frames, torch::kFloat64) * speed).clamp_max(x.size(0) - 1);
  const Tensor left = from.floor().to(torch::kInt64);
  const Tensor right = (left + 1).clamp_max(x.size(0) - 1);
  return torch::lerp(x.index_select(0, left), x.index_select(0, right),
                     (from - left).to(torch::kFloat32).unsqueeze(1));
}

}  // namespace

std::vector<Recording> read_recordings(const std::string& given) {
  std::string list = given;
  const Condition condition = take_condition(list);
  const fs::path file = list;
  if (!fs::exists(file)) throw IoError(list + ": no such file");
  std::vector<Recording> recordings;
  if (file.extension() == ".fileids") {
    if (!condition.column.empty()) throw ConfigError(given + ": a list of names has no columns");
    recordings = read_sphinx_list(file);
  } else {
    recordings = read_table(file, condition);
  }
  if (recordings.empty()) throw ConfigError(given + ": names no recording");
  return recordings;
}

std::string checksum_of_recordings(std::span<const Recording> recordings) {
  Checksum sum;
  for (const Recording& r : recordings) sum.add(r.file.filename().string() + '\t' + r.text + '\n');
  return sum.hex();
}

Tensor finished_features(const Tensor& x, const RecognitionConfig& config) {
  const Tensor y = config.utterance_norm == UtteranceNorm::kNone
                       ? x
                       : normalized_utterance(x, config.utterance_norm == UtteranceNorm::kFull);
  return with_deltas(y, config.features.deltas);
}

Tensor load_features(const fs::path& file, const RecognitionConfig& config, double speed, double& seconds) {
  if (config.input == SpeechInputKind::kFeatures) {
    Tensor x = read_sphinx_features(file, config.features.cepstra);
    if (config.spectrum > 0) x = spectrum_of_cepstra(x, config.spectrum);
    seconds = static_cast<double>(x.size(0)) * config.features.shift_ms / 1000;
    return finished_features(at_speed(x, speed), config);
  }
  const Sound sound = read_sound(file, config.features.rate);
  seconds = sound.seconds();
  FeatureOptions plain = config.features;
  plain.deltas = 0;
  return finished_features(features_of(with_speed(sound, speed), plain), config);
}

SpeechData load_speech(std::span<const Recording> recordings, const RecognitionConfig& config,
                       const SpeechUnits& units, bool training, Reporter& reporter) {
  const std::vector<double> speeds = training ? config.speeds : std::vector<double>{1};
  std::vector<Utterance> all(recordings.size());
  const auto progress = reporter.start("features", static_cast<std::int64_t>(all.size()), "recordings");
  parallel_for(static_cast<std::int64_t>(all.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    const torch::NoGradGuard no_grad;
    for (std::int64_t i = begin; i < end; ++i) {
      const Recording& recording = recordings[static_cast<std::size_t>(i)];
      Utterance& utterance = all[static_cast<std::size_t>(i)];
      utterance = {recording.file, recording.text, units.encode(recording.text), {}, 0};
      for (const double speed : speeds)
        utterance.features.push_back(load_features(recording.file, config, speed, utterance.seconds));
      progress->add(1);
    }
  });
  SpeechData data;
  for (Utterance& utterance : all) {
    data.seconds += utterance.seconds;
    const auto enough = [&](const Tensor& x) {
      return x.size(0) > 0 && config.model.subsampling.frames_after(x.size(0)) >=
                                  std::max<std::int64_t>(1, ctc_frames_needed(utterance.units));
    };
    if (training && utterance.units.empty()) {
      ++data.silent;
    } else if (training && !std::all_of(utterance.features.begin(), utterance.features.end(), enough)) {
      ++data.too_short;
    } else {
      data.utterances.push_back(std::move(utterance));
    }
  }
  return data;
}

}  // namespace kgwalk::seq2seq
