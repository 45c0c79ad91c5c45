// Metrics as TensorBoard reads them: an event file of scalars.
//
// A run folder with a folder `tensorboard` in it gets one: the trainer writes every row of metrics.jsonl
// there too, each number under the row's kind and its own name ("train/loss", "dev/score"). `tensorboard
// --logdir RUN` shows them.
//
// Format: records of TFRecord (length, its masked CRC-32C, data, its masked CRC-32C), each a protocol buffer
// `Event`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

inline constexpr const char* kTensorboardFolder = "tensorboard";

// Appends events to one file. One object writes a file at a time.
class EventWriter {
 public:
  // Makes `folder`/events.out.tfevents.kgwalk anew from `rows`, as metrics.jsonl holds them; IoError.
  EventWriter(const std::filesystem::path& folder, const std::vector<Json>& rows);
  // The numbers of a row of metrics; a row without "step" gives nothing.
  void write(const Json& row);

 private:
  void append(const std::string& records) const;
  std::filesystem::path file_;
};

// Pieces of the above, for tests.
[[nodiscard]] std::uint32_t masked_crc32c(std::string_view bytes);
[[nodiscard]] std::string event_record(double wall_time, std::int64_t step, const std::string& tag,
                                       float value);

}  // namespace kgwalk
