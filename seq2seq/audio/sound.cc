#include "seq2seq/audio/sound.h"

#include <samplerate.h>
#include <sndfile.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

struct CloseSound {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, CloseSound>;

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// libsndfile takes a wav file that was cut off for a shorter one; its chunks tell.
void check_wav_is_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  char head[12];
  if (!file.read(head, 12) || std::memcmp(head, "RIFF", 4) != 0) return;
  const auto size = static_cast<std::uint64_t>(fs::file_size(path));
  std::uint64_t at = 12;
  for (char chunk[8]; file.seekg(static_cast<std::streamoff>(at)) && file.read(chunk, 8);) {
    const std::uint64_t length = little_endian(chunk + 4);
    at += 8;
    if (std::memcmp(chunk, "data", 4) == 0) {
      const bool streamed = length == 0 || length >= 0x7FFFFFFF;  // written to a pipe: the length is unknown
      if (!streamed && at + length > size)
        throw DataError(path.string(), 0,
                        "is cut off: its header promises " + std::to_string(length) +
                            " bytes of sound, it holds " + std::to_string(size - at) + "; copy it again");
      return;
    }
    at += length + (length & 1);
  }
}

SoundFile open_sound(const fs::path& path, SF_INFO& info) {
  std::error_code error;
  if (!fs::exists(path, error)) throw IoError(path.string() + ": no such file");
  if (fs::is_directory(path, error)) throw DataError(path.string(), 0, "is a folder, not a sound file");
  if (fs::file_size(path, error) == 0) throw DataError(path.string(), 0, "is empty");
  errno = 0;
  SoundFile file(sf_open(path.c_str(), SFM_READ, &info));
  if (file) return file;
  if (errno == EACCES) throw IoError(path.string() + ": " + std::strerror(EACCES));
  throw DataError(
      path.string(), 0,
      std::string("is damaged, cut off or no sound (") + sf_strerror(nullptr) + "); wav and flac are read");
}

// Channels side by side, averaged.
std::vector<float> mixed(const std::vector<float>& samples, std::size_t channels) {
  if (channels == 1) return samples;
  std::vector<float> mono(samples.size() / channels);
  for (std::size_t i = 0; i < mono.size(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += samples[i * channels + c];
    mono[i] = static_cast<float>(sum / static_cast<double>(channels));
  }
  return mono;
}

std::vector<float> convert(std::span<const float> samples, double ratio) {
  const auto count = static_cast<std::size_t>(std::llround(static_cast<double>(samples.size()) * ratio));
  std::vector<float> out(count + 16);
  SRC_DATA data{};
  data.data_in = samples.data();
  data.data_out = out.data();
  data.input_frames = static_cast<long>(samples.size());
  data.output_frames = static_cast<long>(out.size());
  data.src_ratio = ratio;
  if (const int failed = src_simple(&data, SRC_SINC_MEDIUM_QUALITY, 1))
    throw ConfigError(std::string("sound cannot be resampled: ") + src_strerror(failed));
  out.resize(static_cast<std::size_t>(data.output_frames_gen));
  out.resize(count, 0.0F);  // the filter's end may lack a sample
  return out;
}

}  // namespace

Sound read_sound(const fs::path& path, int rate) {
  if (rate < 0) throw ConfigError("a sound's rate must not be negative");
  SF_INFO info{};
  const SoundFile file = open_sound(path, info);
  check_wav_is_whole(path);
  if (info.frames <= 0) throw DataError(path.string(), 0, "holds no sample");
  std::vector<float> samples(static_cast<std::size_t>(info.frames) * static_cast<std::size_t>(info.channels));
  const sf_count_t got = sf_readf_float(file.get(), samples.data(), info.frames);
  if (got != info.frames)
    throw DataError(path.string(), 0,
                    "is cut off or damaged: " + std::to_string(got) + " of " + std::to_string(info.frames) +
                        " samples can be read; copy it again");
  for (const float sample : samples)
    if (!std::isfinite(sample)) throw DataError(path.string(), 0, "holds samples that are no numbers");
  Sound sound{info.samplerate, mixed(samples, static_cast<std::size_t>(info.channels))};
  return rate == 0 ? sound : resampled(sound, rate);
}

void write_wav(const fs::path& path, const Sound& sound) {
  SF_INFO info{};
  info.samplerate = sound.rate;
  info.channels = 1;
  info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  const SoundFile file(sf_open(path.c_str(), SFM_WRITE, &info));
  if (!file) throw IoError(path.string() + ": cannot be written: " + sf_strerror(nullptr));
  sf_command(file.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
  const auto count = static_cast<sf_count_t>(sound.samples.size());
  if (sf_writef_float(file.get(), sound.samples.data(), count) != count)
    throw IoError(path.string() + ": cannot be written: " + sf_strerror(file.get()));
}

Sound resampled(const Sound& sound, int rate) {
  if (sound.rate <= 0 || rate <= 0) throw ConfigError("a sound's rate must be positive");
  if (sound.rate == rate || sound.samples.empty()) return {rate, sound.samples};
  return {rate, convert(sound.samples, static_cast<double>(rate) / sound.rate)};
}

Sound with_speed(const Sound& sound, double factor) {
  if (!(factor >= 0.25 && factor <= 4))
    throw ConfigError("a speed factor must be from 0.25 to 4, not " + std::to_string(factor));
  if (factor == 1 || sound.samples.empty()) return sound;
  return {sound.rate, convert(sound.samples, 1 / factor)};
}

}  // namespace kgwalk::seq2seq
