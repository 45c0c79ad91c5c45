#include "server/doors/subtitles.h"

#include <fmt/format.h>

#include <cmath>

namespace kgwalk::server {
namespace {

constexpr double kPause_s = 0.6, kLongest_s = 6;
constexpr std::size_t kMostBytes = 84;  // two lines of 42

bool begins_anew(const Cue& cue, const SpokenWord& word) {
  return word.begin_s - cue.end_s > kPause_s || word.end_s - cue.begin_s > kLongest_s ||
         cue.text.size() + 1 + word.text.size() > kMostBytes;
}

// "01:02:03,450"; the formats differ in the sign before the thousandths.
std::string time_of(double seconds, char sign) {
  const auto ms = static_cast<long long>(std::llround(1000 * seconds));
  return fmt::format("{:02}:{:02}:{:02}{}{:03}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, sign,
                     ms % 1000);
}

// A line "-->" within would be read as a time, "&" and "<" as markup.
std::string escaped_for_vtt(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

}  // namespace

std::vector<Cue> cues_of(const Transcription& heard) {
  const SpeechHypothesis& best = heard.best();
  if (best.text.empty()) return {};
  if (best.words.empty()) return {{0, heard.seconds, best.text}};
  std::vector<Cue> cues;
  for (const SpokenWord& word : best.words) {
    if (cues.empty() || begins_anew(cues.back(), word)) {
      cues.push_back({word.begin_s, word.end_s, word.text});
    } else {
      cues.back().text += " " + word.text;
      cues.back().end_s = word.end_s;
    }
  }
  return cues;
}

std::string as_srt(const std::vector<Cue>& cues) {
  std::string out;
  for (std::size_t i = 0; i < cues.size(); ++i)
    out += fmt::format("{}\n{} --> {}\n{}\n\n", i + 1, time_of(cues[i].begin_s, ','),
                       time_of(cues[i].end_s, ','), cues[i].text);
  return out;
}

std::string as_vtt(const std::vector<Cue>& cues) {
  std::string out = "WEBVTT\n\n";
  for (const Cue& cue : cues)
    out += fmt::format("{} --> {}\n{}\n\n", time_of(cue.begin_s, '.'), time_of(cue.end_s, '.'),
                       escaped_for_vtt(cue.text));
  return out;
}

}  // namespace kgwalk::server
