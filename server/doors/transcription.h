// The door of OpenAI's API for speech: POST /v1/audio/transcriptions, by the recognizer of a model.
//
// The form's fields are those of that API: file, model, response_format (json, text, srt, vtt, verbose_json),
// stream, timestamp_granularities[]. What a recognizer of one language has no use for (language, prompt,
// temperature) is taken and means nothing, except that `language` is told back.
#pragma once

#include <cstddef>
#include <string_view>

#include "server/http/router.h"
#include "server/state/model_shelf.h"

namespace kgwalk::server {

struct SoundLimits {
  std::size_t max_upload = 25 << 20;  // bytes of a request with a sound
  double max_sound_s = 120;           // memory and time of a recognizer grow with the square of it
};

inline constexpr std::string_view kTranscriptionPath = "/v1/audio/transcriptions";

// The route borrows the models.
void add_transcription(Router& router, ModelShelf& models, const SoundLimits& limits);

}  // namespace kgwalk::server
