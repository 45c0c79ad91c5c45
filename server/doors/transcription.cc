#include "server/doors/transcription.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "server/doors/chat_messages.h"
#include "server/doors/subtitles.h"
#include "server/http/form.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

struct Asked {
  const FormPart* file = nullptr;
  std::string model, format, language;
  bool stream = false, words = false, segments = false;
};

std::string field(const std::vector<FormPart>& parts, std::string_view name, std::string otherwise) {
  const FormPart* part = part_named(parts, name);
  return part == nullptr ? std::move(otherwise) : std::string(part->body);
}

void read_granularities(const std::vector<FormPart>& parts, Asked& asked) {
  for (const FormPart& part : parts) {
    if (part.name != "timestamp_granularities[]" && part.name != "timestamp_granularities") continue;
    if (part.body != "word" && part.body != "segment")
      throw Refusal(400, "'timestamp_granularities' must be word or segment");
    (part.body == "word" ? asked.words : asked.segments) = true;
  }
  if ((asked.words || asked.segments) && asked.format != "verbose_json")
    throw Refusal(400, "'timestamp_granularities' needs the response_format verbose_json");
  asked.segments = asked.segments || !asked.words;
}

Asked asked_of(const std::vector<FormPart>& parts) {
  Asked asked;
  asked.file = part_named(parts, "file");
  if (asked.file == nullptr) throw Refusal(400, "'file' is missing: the sound");
  asked.model = field(parts, "model", "");
  if (asked.model.empty()) throw Refusal(400, "'model' must be given, as text");
  asked.format = field(parts, "response_format", "json");
  constexpr std::string_view kFormats[] = {"json", "text", "srt", "vtt", "verbose_json"};
  if (std::find(std::begin(kFormats), std::end(kFormats), asked.format) == std::end(kFormats))
    throw Refusal(400, "'response_format' must be json, text, srt, vtt or verbose_json");
  asked.language = field(parts, "language", "und");  // undetermined
  asked.stream = field(parts, "stream", "false") == "true";
  if (asked.stream && asked.format != "json")
    throw Refusal(400, "'stream' goes with the response_format json only");
  read_granularities(parts, asked);
  return asked;
}

// What is wrong with a sound is the client's to mend.
Transcription heard_in(const Recognizer& recognizer, const FormPart& file, double max_seconds) {
  try {
    return recognizer.transcribe_bytes(file.body, file.file.empty() ? "the sound" : file.file, max_seconds);
  } catch (const DataError& error) {
    throw Refusal(400, error.what());
  }
}

Json usage_json(const Transcription& heard) { return {{"type", "duration"}, {"seconds", heard.seconds}}; }

Json verbose(const Transcription& heard, const Asked& asked) {
  Json out = {{"task", "transcribe"},
              {"language", asked.language},
              {"duration", heard.seconds},
              {"text", heard.best().text},
              {"usage", usage_json(heard)}};
  if (asked.words) {
    out["words"] = Json::array();
    for (const SpokenWord& word : heard.best().words)
      out["words"].push_back({{"word", word.text}, {"start", word.begin_s}, {"end", word.end_s}});
  }
  if (!asked.segments) return out;
  out["segments"] = Json::array();
  for (const Cue& cue : cues_of(heard))
    out["segments"].push_back(
        {{"id", out["segments"].size()}, {"start", cue.begin_s}, {"end", cue.end_s}, {"text", cue.text}});
  return out;
}

Response streamed(const Transcription& heard) {
  Response response{.type = "text/event-stream"};
  response.stream = [text = heard.best().text, usage = usage_json(heard)](const std::shared_ptr<Sink>& sink) {
    for (const std::string& piece : pieces_of(text))
      sink->send(event_text("", {{"type", "transcript.text.delta"}, {"delta", piece}}));
    sink->send(event_text("", {{"type", "transcript.text.done"}, {"text", text}, {"usage", usage}}));
  };
  return response;
}

Response as_file(std::string text, const char* type) { return {.type = type, .body = std::move(text)}; }

Json transcription_input() {
  const Json text = {{"type", "string"}};
  return {
      {"type", "object"},
      {"properties",
       {{"file",
         {{"type", "string"}, {"format", "binary"}, {"description", "The sound: wav, flac, ogg, mp3."}}},
        {"model", text},
        {"response_format",
         {{"type", "string"}, {"enum", {"json", "text", "srt", "vtt", "verbose_json"}}, {"default", "json"}}},
        {"language", text},
        {"timestamp_granularities[]",
         {{"type", "array"}, {"items", {{"type", "string"}, {"enum", {"word", "segment"}}}}}},
        {"stream", {{"type", "boolean"}, {"default", false}}}}},
      {"required", {"file", "model"}}};
}

Response transcribe(ModelShelf& models, const SoundLimits& limits, const Request& request) {
  const std::vector<FormPart> parts = form_parts(request);
  const Asked asked = asked_of(parts);
  const auto model = models.get(asked.model);
  const Transcription heard = heard_in(model->recognizer(), *asked.file, limits.max_sound_s);
  if (asked.stream) return streamed(heard);
  if (asked.format == "text") return as_file(heard.best().text + "\n", "text/plain; charset=utf-8");
  if (asked.format == "srt") return as_file(as_srt(cues_of(heard)), "application/x-subrip; charset=utf-8");
  if (asked.format == "vtt") return as_file(as_vtt(cues_of(heard)), "text/vtt; charset=utf-8");
  if (asked.format == "verbose_json") return Response::of(verbose(heard, asked));
  return Response::of({{"text", heard.best().text}, {"usage", usage_json(heard)}});
}

}  // namespace

void add_transcription(Router& router, ModelShelf& models, const SoundLimits& limits) {
  router.add(
      {.method = "POST",
       .path = std::string(kTranscriptionPath),
       .handler = [&models, limits](const Request& request) { return transcribe(models, limits, request); },
       .summary = "OpenAI's transcription of a sound, by the recognizer of the model.",
       .input = transcription_input(),
       .input_type = "multipart/form-data"});
}

}  // namespace kgwalk::server
