#include "seq2seq/audio/sound.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <samplerate.h>
#include <sndfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kgwalk/error.h"
#include "runtime/files.h"

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

// Gives bytes from a place on; false when there are fewer.
using ReadAt = std::function<bool(std::uint64_t at, char* to, std::size_t count)>;

// libsndfile takes a wav file that was cut off for a shorter one; its chunks tell.
void check_wav_is_whole(const ReadAt& read, std::uint64_t size, const std::string& name) {
  char head[12];
  if (!read(0, head, 12) || std::memcmp(head, "RIFF", 4) != 0) return;
  std::uint64_t at = 12;
  for (char chunk[8]; read(at, chunk, 8);) {
    const std::uint64_t length = little_endian(chunk + 4);
    at += 8;
    if (std::memcmp(chunk, "data", 4) == 0) {
      const bool streamed = length == 0 || length >= 0x7FFFFFFF;  // written to a pipe: the length is unknown
      if (!streamed && at + length > size)
        throw DataError(name, 0,
                        "is cut off: its header promises " + std::to_string(length) +
                            " bytes of sound, it holds " + std::to_string(size - at) + "; copy it again");
      return;
    }
    at += length + (length & 1);
  }
}

DataError no_sound(const std::string& name) {
  return {
      name, 0,
      std::string("is damaged, cut off or no sound (") + sf_strerror(nullptr) + "); wav and flac are read"};
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
  throw no_sound(path.string());
}

// Channels side by side, averaged, behind what is there.
void mix(std::span<const float> samples, std::size_t channels, std::vector<float>& mono) {
  for (std::size_t i = 0; i < samples.size(); i += channels) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += samples[i + c];
    mono.push_back(static_cast<float>(sum / static_cast<double>(channels)));
  }
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

Sound samples_of(SNDFILE* file, const SF_INFO& info, const std::string& name, int rate) {
  if (info.frames <= 0) throw DataError(name, 0, "holds no sample");
  constexpr sf_count_t kBlock = 1 << 16;  // all channels of a long sound at once would be most of its memory
  const auto channels = static_cast<std::size_t>(info.channels);
  std::vector<float> block(static_cast<std::size_t>(std::min(kBlock, info.frames)) * channels);
  Sound sound{info.samplerate, {}};
  sound.samples.reserve(static_cast<std::size_t>(info.frames));
  sf_count_t got = 0;
  for (sf_count_t count = 1; got < info.frames && count > 0; got += count) {
    count = sf_readf_float(file, block.data(), std::min(kBlock, info.frames - got));
    const std::span<const float> samples(block.data(), static_cast<std::size_t>(count) * channels);
    if (!std::all_of(samples.begin(), samples.end(), [](float x) { return std::isfinite(x); }))
      throw DataError(name, 0, "holds samples that are no numbers");
    mix(samples, channels, sound.samples);
  }
  if (got != info.frames)
    throw DataError(name, 0,
                    "is cut off or damaged: " + std::to_string(got) + " of " + std::to_string(info.frames) +
                        " samples can be read; copy it again");
  if (rate == 0 || rate == sound.rate) return sound;
  if (!src_is_valid_ratio(static_cast<double>(rate) / sound.rate))
    throw DataError(name, 0,
                    fmt::format("says that it has {} samples a second, which is no rate of speech; "
                                "convert it to {}",
                                sound.rate, rate));
  return resampled(sound, rate);
}

// Bytes in memory as libsndfile reads a file.
struct SoundBytes {
  std::string_view bytes;
  sf_count_t at = 0;

  static SF_VIRTUAL_IO access() { return {size, seek, read, nullptr, tell}; }

 private:
  static SoundBytes& self(void* user) { return *static_cast<SoundBytes*>(user); }
  static sf_count_t size(void* user) { return static_cast<sf_count_t>(self(user).bytes.size()); }
  static sf_count_t tell(void* user) { return self(user).at; }
  static sf_count_t seek(sf_count_t offset, int whence, void* user) {
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? self(user).at : size(user);
    return self(user).at = std::clamp<sf_count_t>(from + offset, 0, size(user));
  }
  static sf_count_t read(void* to, sf_count_t count, void* user) {
    SoundBytes& from = self(user);
    count = std::min(count, size(user) - from.at);
    std::memcpy(to, from.bytes.data() + from.at, static_cast<std::size_t>(count));
    from.at += count;
    return count;
  }
};

// A wav file that was written to a pipe may say 0 for its own length and that of its sound, which libsndfile
// believes. Such bytes with the true lengths; nullopt for all others.
std::optional<std::string> with_lengths(std::string_view bytes) {
  if (bytes.size() < 12 || !bytes.starts_with("RIFF") || little_endian(&bytes[4]) != 0) return std::nullopt;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t length = little_endian(&bytes[at + 4]), rest = bytes.size() - at - 8;
    if (bytes.substr(at, 4) == "data") {
      if (length != 0 || rest == 0) return std::nullopt;
      std::string mended(bytes);
      for (std::size_t i = 0; i < 4; ++i) {
        mended[4 + i] = static_cast<char>((bytes.size() - 8) >> 8 * i);
        mended[at + 4 + i] = static_cast<char>(rest >> 8 * i);
      }
      return mended;
    }
    if (length > rest) return std::nullopt;
    at += 8 + length + (length & 1);
  }
  return std::nullopt;
}

constexpr double kLongestPiped = 24 * 3600;  // seconds

// Neither opening nor reading waits longer than a look at the flag allows, whether somebody writes or not.
std::string all_of(const fs::path& pipe, const StopFlag& stop) {
  constexpr int kPatience_ms = 100;
  const auto fail = [&] { throw IoError(pipe.string() + ": cannot be read: " + std::strerror(errno)); };
  const int descriptor = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) fail();
  const std::unique_ptr<const int, void (*)(const int*)> closed(&descriptor,
                                                                [](const int* open) { ::close(*open); });
  std::string bytes;
  std::vector<char> part(1 << 16);
  while (!stop.requested()) {
    pollfd ready{descriptor, POLLIN, 0};
    const int count = ::poll(&ready, 1, kPatience_ms);
    if (count < 0 && errno != EINTR) fail();
    if (count <= 0) continue;
    const ssize_t size = ::read(descriptor, part.data(), part.size());
    if (size == 0) return bytes;
    if (size > 0) bytes.append(part.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR && errno != EAGAIN) fail();
  }
  throw Stopped(pipe.string() + ": stopped before its end");
}

}  // namespace

Sound read_sound(const fs::path& path, int rate, const StopFlag& stop) {
  if (rate < 0) throw ConfigError("a sound's rate must not be negative");
  if (std::error_code error;
      fs::exists(path, error) && fs::is_other(path, error))  // a pipe, which cannot be read twice
    return sound_from_bytes(all_of(path, stop), path.string(), rate, kLongestPiped);
  SF_INFO info{};
  const SoundFile file = open_sound(path, info);
  if (info.frames == 0) return sound_from_bytes(MappedFile(path).bytes(), path.string(), rate, kLongestPiped);
  std::ifstream stream(path, std::ios::binary);
  const auto read = [&](std::uint64_t at, char* to, std::size_t count) {
    return stream.seekg(static_cast<std::streamoff>(at)) &&
           stream.read(to, static_cast<std::streamsize>(count));
  };
  check_wav_is_whole(read, fs::file_size(path), path.string());
  return samples_of(file.get(), info, path.string(), rate);
}

Sound sound_from_bytes(std::string_view bytes, const std::string& name, int rate, double max_seconds) {
  if (rate < 0) throw ConfigError("a sound's rate must not be negative");
  if (bytes.empty()) throw DataError(name, 0, "is empty");
  if (const auto mended = with_lengths(bytes)) return sound_from_bytes(*mended, name, rate, max_seconds);
  SF_INFO info{};
  SoundBytes reader{bytes};
  SF_VIRTUAL_IO access = SoundBytes::access();
  const SoundFile file(sf_open_virtual(&access, SFM_READ, &info, &reader));
  if (!file) throw no_sound(name);
  const auto read = [&](std::uint64_t at, char* to, std::size_t count) {
    return at + count <= bytes.size() && std::memcpy(to, bytes.data() + at, count) != nullptr;
  };
  check_wav_is_whole(read, bytes.size(), name);
  const double seconds = static_cast<double>(info.frames) / std::max(1, info.samplerate);
  if (seconds > max_seconds)
    throw DataError(name, 0, fmt::format("lasts {:.0f} s, longer than {:g} s; cut it", seconds, max_seconds));
  constexpr double kMostSamples =
      2 * 192'000;  // a second, of all channels: few bytes of flac may promise more
  if (static_cast<double>(info.frames) * info.channels > kMostSamples * max_seconds)
    throw DataError(name, 0, "has more channels or a higher rate than speech needs; convert it to 16 kHz");
  return samples_of(file.get(), info, name, rate);
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
