#include "seq2seq/tasks/recognition/long_sound.h"

#include <algorithm>
#include <cmath>

namespace kgwalk::seq2seq {
namespace {

constexpr double kFrame_s = 0.01;
constexpr std::size_t kQuietFrames = 33;  // a third of a second, as long as a short pause

// Energy of each frame of 10 ms.
std::vector<double> frame_energies(std::span<const float> samples, std::size_t frame) {
  std::vector<double> energies(samples.size() / frame);
  for (std::size_t i = 0; i < energies.size(); ++i)
    for (const float x : samples.subspan(i * frame, frame)) energies[i] += static_cast<double>(x) * x;
  return energies;
}

// Middle of the quietest run of frames whose middle lies in [first, last].
std::size_t quietest(std::span<const double> energies, std::size_t first, std::size_t last) {
  std::size_t best = last;
  double least = HUGE_VAL;
  for (std::size_t middle = first; middle <= last; ++middle) {
    const std::size_t begin = middle - std::min(middle, kQuietFrames / 2);
    const std::size_t end = std::min(energies.size(), middle + kQuietFrames / 2 + 1);
    double sum = 0;
    for (const double energy : energies.subspan(begin, end - begin)) sum += energy;
    if (sum > least) continue;
    least = sum;
    best = middle;
  }
  return best;
}

}  // namespace

std::vector<SoundPiece> cut_at_pauses(const Sound& sound, double longest_s) {
  const std::size_t size = sound.samples.size();
  const auto frame = std::max<std::size_t>(1, static_cast<std::size_t>(kFrame_s * sound.rate));
  const auto longest = std::max<std::size_t>(4 * frame, static_cast<std::size_t>(longest_s * sound.rate));
  if (size <= longest) return {{0, size}};
  const std::vector<double> energies = frame_energies(sound.samples, frame);
  std::vector<SoundPiece> pieces;
  std::size_t begin = 0;
  while (size - begin > longest) {
    // The rest must not be too short for a piece of its own.
    const std::size_t last = std::min(begin + longest, size - longest / 4);
    const std::size_t cut = quietest(energies, (begin + longest / 2) / frame, last / frame) * frame;
    pieces.push_back({begin, cut});
    begin = cut;
  }
  pieces.push_back({begin, size});
  return pieces;
}

void JoinedTranscription::add(const Transcription& piece, double begin_s) {
  const SpeechHypothesis& best = piece.best();
  all_.score += best.score;
  if (note_.empty()) note_ = piece.note;
  if (best.text.empty()) return;
  if (!all_.text.empty()) all_.text += between_;
  all_.text += best.text;
  for (SpokenWord word : best.words) {
    word.begin_s += begin_s;
    word.end_s += begin_s;
    all_.words.push_back(std::move(word));
  }
}

Transcription JoinedTranscription::finish(double seconds) {
  Transcription whole;
  whole.seconds = seconds;
  if (all_.text.empty()) whole.note = note_;
  whole.hypotheses.push_back(std::move(all_));
  return whole;
}

}  // namespace kgwalk::seq2seq
