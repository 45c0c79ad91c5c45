#include "seq2seq/tasks/recognition/recognizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/search/joint_ctc.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/recognition/long_sound.h"
#include "seq2seq/tasks/recognition/speech_data.h"
#include "seq2seq/tasks/recognition/task.h"

namespace kgwalk {

Json Transcription::to_json() const {
  Json json = {{"seconds", seconds}};
  if (!note.empty()) json["note"] = note;
  for (const SpeechHypothesis& h : hypotheses) {
    Json words = Json::array();
    for (const SpokenWord& word : h.words)
      words.push_back({{"word", word.text}, {"begin_s", word.begin_s}, {"end_s", word.end_s}});
    json["hypotheses"].push_back({{"text", h.text}, {"score", h.score}, {"words", words}});
  }
  return json;
}

}  // namespace kgwalk

namespace kgwalk::seq2seq {

namespace fs = std::filesystem;
using torch::Tensor;

namespace {

bool is_silent(const Sound& sound) {
  return std::all_of(sound.samples.begin(), sound.samples.end(), [](float x) { return x == 0; });
}

}  // namespace

Recognizer Recognizer::open(const fs::path& path) {
  const bool pieces =
      fs::exists(path / "sentencepiece.model") || fs::exists(path / "model/sentencepiece.model");
  const std::string name = pieces ? "sentencepiece.model" : "units.txt";
  ModelFiles files = read_model_files(path, kRecognitionRun, name);
  RecognitionConfig config;
  apply_json(config, files.config, path.string());
  SpeechUnits units =
      SpeechUnits::parse(std::move(files.vocabulary), config.units, path.string() + "/" + name);
  CtcAttention model(config.model, config.feature_width(), config.feature_groups(), units.size());
  load_state(*model, files.weights, path.string());
  move_to(*model, compute_device());
  return {std::move(config), std::move(model), std::move(units)};
}

Recognizer::Recognizer(RecognitionConfig config, CtcAttention model, SpeechUnits units)
    : config_(std::move(config)), model_(std::move(model)), units_(std::move(units)) {
  if (units_.size() != model_->units())
    throw ConfigError("there are " + std::to_string(units_.size()) + " units, the weights are for " +
                      std::to_string(model_->units()));
  model_->eval();
}

void Recognizer::set_search(const SpeechSearchOptions& search) {
  validate(search, "search");
  RecognitionConfig changed = config_;
  changed.search = search;
  validate(changed, "search");
  config_.search = search;
}

void Recognizer::set_language(const fs::path& model) {
  language_ = std::make_shared<const UnitLanguage>(model, units_);
}

std::optional<Tensor> Recognizer::features_of_sound(const Sound& sound) const {
  if (config_.input != SpeechInputKind::kSound)
    throw ConfigError("this recognizer reads files of features, not sound");
  if (is_silent(sound) && !sound.samples.empty()) return std::nullopt;
  FeatureOptions plain = config_.features;
  plain.deltas = 0;
  return finished_features(features_of(resampled(sound, config_.features.rate), plain), config_);
}

std::optional<Tensor> Recognizer::features_of_file(const fs::path& file, double& seconds) const {
  if (config_.input != SpeechInputKind::kSound) return load_features(file, config_, 1, seconds);
  const Sound sound = read_sound(file, config_.features.rate);
  seconds = sound.seconds();
  return features_of_sound(sound);
}

std::vector<Transcription> Recognizer::transcribe(std::span<const Sound> sounds) const {
  std::vector<Tensor> features;
  std::vector<bool> silent;
  for (const Sound& sound : sounds) {
    const std::optional<Tensor> x = is_long(sound) ? std::nullopt : features_of_sound(sound);
    silent.push_back(!x);
    features.push_back(x ? *x : torch::zeros({0, config_.feature_width()}));
  }
  std::vector<Transcription> results = transcribe_features(features);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].seconds = sounds[i].seconds();
    if (silent[i]) results[i].note = kSilence;
    if (is_long(sounds[i])) results[i] = transcribe_long(sounds[i], never_stop());
  }
  return results;
}

// Piece by piece: together they would take as much memory as the whole.
Transcription Recognizer::transcribe_long(const Sound& sound, const StopFlag& stop) const {
  JoinedTranscription joined(units_.between_words());
  for (const SoundPiece& piece : cut_at_pauses(sound, config_.search.longest_s)) {
    if (stop.requested())
      throw Stopped(fmt::format("stopped after {:.0f} of {:.0f} s of sound",
                                static_cast<double>(piece.begin) / sound.rate, sound.seconds()));
    const std::span<const float> samples =
        std::span(sound.samples).subspan(piece.begin, piece.end - piece.begin);
    const Sound part{sound.rate, {samples.begin(), samples.end()}};
    joined.add(transcribe_short(part), static_cast<double>(piece.begin) / sound.rate);
  }
  return joined.finish(sound.seconds());
}

Transcription Recognizer::transcribe_short(const Sound& sound) const {
  const std::optional<Tensor> x = features_of_sound(sound);
  const Tensor features = x ? *x : torch::zeros({0, config_.feature_width()});
  Transcription found = std::move(transcribe_features({&features, 1}).front());
  found.seconds = sound.seconds();
  if (!x) found.note = kSilence;
  return found;
}

Transcription Recognizer::transcribe_file(const fs::path& file, const StopFlag& stop) const {
  if (config_.input == SpeechInputKind::kSound) {
    const Sound sound = read_sound(file, config_.features.rate, stop);
    return is_long(sound) ? transcribe_long(sound, stop) : transcribe_short(sound);
  }
  double seconds = 0;
  const Tensor features = load_features(file, config_, 1, seconds);
  Transcription found = std::move(transcribe_features({&features, 1}).front());
  found.seconds = seconds;
  return found;
}

std::vector<Transcription> Recognizer::transcribe_features(std::span<const Tensor> features) const {
  const torch::NoGradGuard no_grad;
  std::vector<Transcription> results(features.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < features.size(); ++i) {
    results[i].seconds = static_cast<double>(features[i].size(0)) * config_.features.shift_ms / 1000;
    if (features[i].size(0) > 0) {
      order.push_back(i);
    } else {
      results[i].hypotheses.emplace_back();
      results[i].note = kTooShort;
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return features[a].size(0) < features[b].size(0); });
  const auto batch = static_cast<std::size_t>(config_.search.batch);
  for (std::size_t begin = 0; begin < order.size(); begin += batch)
    transcribe_batch(std::span(order).subspan(begin, std::min(batch, order.size() - begin)), features,
                     results);
  return results;
}

void Recognizer::transcribe_batch(std::span<const std::size_t> places, std::span<const Tensor> features,
                                  std::vector<Transcription>& results) const {
  std::vector<Tensor> chosen;
  for (const std::size_t i : places) chosen.push_back(features[i]);
  const SpeechBatch batch = pad_features(chosen);
  const EncodedSpeech speech = model_->encode(batch.x, batch.lengths);
  const Tensor scores = on_processor(model_->frame_scores(speech));  // [B, T', V]
  std::vector<std::vector<Found>> found;
  if (config_.search.method == SpeechSearch::kJoint) found = joint(speech, scores);
  for (std::size_t b = 0; b < places.size(); ++b) {
    const FrameScores frames = frame_scores_of(scores, speech.lengths, static_cast<std::int64_t>(b));
    for (const Found& one : found.empty() ? by_ctc(frames) : found[b])
      results[places[b]].hypotheses.push_back(hypothesis_of(one, frames));
  }
}

Transcription Recognizer::transcription_of(const Tensor& frame_scores) const {
  if (config_.search.method == SpeechSearch::kJoint)
    throw ConfigError("search.method 'joint' needs more than CTC's scores");
  Transcription result;
  if (frame_scores.size(0) == 0) {
    result.hypotheses.emplace_back();
    result.note = kTooShort;
    return result;
  }
  const Tensor scores = frame_scores.contiguous().unsqueeze(0);
  const FrameScores frames = frame_scores_of(scores, torch::full({1}, scores.size(1), torch::kInt64), 0);
  for (const Found& one : by_ctc(frames)) result.hypotheses.push_back(hypothesis_of(one, frames));
  return result;
}

std::vector<Recognizer::Found> Recognizer::by_ctc(const FrameScores& scores) const {
  const SpeechSearchOptions& search = config_.search;
  if (search.method == SpeechSearch::kCtcGreedy) {
    CtcHypothesis best = ctc_greedy(scores);
    return {{std::move(best.units), best.score}};
  }
  CtcBeamOptions options;
  options.beam = search.beam;
  options.nbest = search.nbest;
  options.lm_weight = language_ ? search.lm_weight : 0;
  options.unit_bonus = search.unit_bonus;
  options.end = kEndUnit;
  PrefixScores language;
  if (language_)
    language = [&](std::span<const std::vector<int>> prefixes) { return language_->after(prefixes); };
  std::vector<Found> found;
  for (CtcHypothesis& h : ctc_prefix_beam(scores, options, language))
    found.push_back({std::move(h.units), h.score});
  return found;
}

std::vector<std::vector<Recognizer::Found>> Recognizer::joint(const EncodedSpeech& speech,
                                                              const Tensor& scores) const {
  const SpeechSearchOptions& options = config_.search;
  JointCtc ctc(scores, speech.lengths, {options.ctc_weight, kBlankUnit, kEndUnit, options.candidates});
  DecoderState state = model_->start(speech);
  DecoderState language;
  const bool fused = language_ && options.lm_weight != 0;
  if (fused) language = language_->start(speech.states.size(0));
  const ScoreStep step = [&](const Tensor& pieces, const Tensor& parents) {
    if (state.length > 0) {
      state.reorder(parents);
      if (fused) language.reorder(parents);
    }
    Tensor joined = on_processor(torch::log_softmax(model_->step(pieces, state), 1));
    ctc.join(pieces, parents, joined);
    if (fused) joined = joined + options.lm_weight * language_->step(pieces, language);
    if (options.unit_bonus != 0) {
      joined = joined + options.unit_bonus;
      joined.select(1, kEndUnit) -= options.unit_bonus;
    }
    return joined;
  };
  TokenSearchTask task{kStartUnit, kEndUnit, {kBlankUnit, kUnknownUnit, kStartUnit}, {}, true};
  for (std::int64_t b = 0; b < speech.lengths.size(0); ++b)
    task.limits.push_back(static_cast<int>(speech.lengths[b].item<std::int64_t>()));
  TokenSearchOptions search;
  search.beam = options.beam;
  search.nbest = options.nbest;
  search.length_penalty = 0;
  std::vector<std::vector<Found>> found;
  for (const std::vector<FoundSequence>& group : search_tokens(task, search, step)) {
    found.emplace_back();
    for (const FoundSequence& sequence : group)
      found.back().push_back({{sequence.pieces.begin(), sequence.pieces.end()}, sequence.score});
  }
  return found;
}

SpeechHypothesis Recognizer::hypothesis_of(const Found& found, const FrameScores& scores) const {
  SpeechHypothesis hypothesis{units_.decode(found.units), found.score, {}};
  const auto spans = ctc_align(scores, found.units);
  if (!spans) return hypothesis;
  const double frame_s = config_.features.shift_ms / 1000 * config_.model.subsampling.factor;
  std::vector<int> word;
  const auto close = [&] {
    if (!word.empty()) hypothesis.words.back().text = units_.decode(word);
    if (!word.empty() && hypothesis.words.back().text.empty()) hypothesis.words.pop_back();
    word.clear();
  };
  for (std::size_t i = 0; i < found.units.size(); ++i) {
    if (config_.units.kind == UnitKind::kCharacters && units_.unit(found.units[i]) == kSpaceUnit) continue;
    const double begin = static_cast<double>((*spans)[i].begin) * frame_s,
                 end = static_cast<double>((*spans)[i].end) * frame_s;
    if (units_.begins_word(found.units, i)) {
      close();
      hypothesis.words.push_back({"", begin, end});
    }
    word.push_back(found.units[i]);
    hypothesis.words.back().end_s = end;
  }
  close();
  return hypothesis;
}

}  // namespace kgwalk::seq2seq
