// What was heard, cut into lines for a screen, and as subtitle files.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/recognizer.h"

namespace kgwalk::server {

// Some words that are shown together.
struct Cue {
  double begin_s = 0, end_s = 0;
  std::string text;
};

// Cut at pauses, and where a line grows too long to read: a cue lasts 6 s or has 84 letters at most, except
// for a longer word. A text whose words have no times is one cue as long as the sound; an empty text is none.
[[nodiscard]] std::vector<Cue> cues_of(const Transcription& heard);

[[nodiscard]] std::string as_srt(const std::vector<Cue>& cues);  // SubRip
[[nodiscard]] std::string as_vtt(const std::vector<Cue>& cues);  // WebVTT

}  // namespace kgwalk::server
