// Long sound, cut where nobody speaks, so that memory and time grow with its length alone.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/audio/sound.h"
#include "seq2seq/tasks/recognition/recognizer.h"

namespace kgwalk::seq2seq {

// Samples [begin, end) of a sound.
struct SoundPiece {
  std::size_t begin = 0, end = 0;
};

// Pieces of at most `longest_s` seconds that cover the sound. Each is cut in the middle of the quietest third
// of a second of its second half, the latest of equally quiet ones; none is shorter than a quarter of the
// longest, except a sound that is so short itself.
[[nodiscard]] std::vector<SoundPiece> cut_at_pauses(const Sound& sound, double longest_s);

// What the pieces of one sound say, as one transcription: texts with a blank between them (none where the
// units know no blanks), times from the sound's beginning, scores added up, one hypothesis.
class JoinedTranscription {
 public:
  // `between` is put between two texts.
  explicit JoinedTranscription(std::string between) : between_(std::move(between)) {}
  // `begin_s` is where the piece begins.
  void add(const Transcription& piece, double begin_s);
  // `seconds` of the whole sound; the note of the pieces when none of them has text.
  [[nodiscard]] Transcription finish(double seconds);

 private:
  std::string between_, note_;
  SpeechHypothesis all_;
};

}  // namespace kgwalk::seq2seq
