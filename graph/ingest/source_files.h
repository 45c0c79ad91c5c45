// The files of one ingestion: each is opened, unpacked, read with a log of its problems, reported and summed
// up.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "graph/ingest/lines.h"
#include "graph/ingest/problem_log.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

// A file while it is read.
struct OpenSource {
  std::string_view bytes;
  ProblemLog& log;
  FileReport& counts;
  std::function<void(std::size_t)> at;  // so many bytes are read; throws Stopped when asked to stop
};

// What was opened already: its bytes, and the checksum of the file. `input`: what holds the bytes, where they
// are a file's; those that were read are released.
struct OpenedBytes {
  std::string_view bytes;
  std::string checksum;
  const InputBytes* input = nullptr;
};

class SourceFiles {
 public:
  // `spool`: a folder for what is unpacked. All must outlive the object.
  SourceFiles(const IngestOptions& options, const std::filesystem::path& spool, IngestReport& report,
              Reporter& reporter, const StopFlag& stop)
      : options_(options), spool_(spool), report_(report), reporter_(reporter), stop_(stop) {}

  // Opens a source ("-": standard input), notes its checksum, lets `read` go through it, and keeps what the
  // log says. The bytes are gone afterwards.
  void read(const std::filesystem::path& file, FileKind kind,
            const std::function<void(const OpenSource&)>& read);

  // The same for what is open, under the name that is told.
  void read_opened(const std::string& name, const OpenedBytes& opened, FileKind kind,
                   const std::function<void(const OpenSource&)>& read);

  // Calls handle(line, number) for every usable line; gives their number.
  std::size_t for_each_line(const OpenSource& source,
                            const std::function<void(std::string_view, std::size_t)>& handle);

  // A line of a file that was read before turns out to be bad (`file`: a place among IngestReport::files).
  void skip_late(std::size_t file, std::size_t line, Reason reason, std::string_view why);
  // Says something to know of all files together.
  void tell(const std::string& what) { reporter_.info(what); }

  // Throws Stopped when asked to stop.
  void poll() const;

  [[nodiscard]] const Json& checksums() const noexcept { return checksums_; }
  [[nodiscard]] const std::filesystem::path& spool() const noexcept { return spool_; }

 private:
  const IngestOptions& options_;
  std::filesystem::path spool_;
  IngestReport& report_;
  Reporter& reporter_;
  const StopFlag& stop_;
  Json checksums_ = Json::object();
};

// What would ask for the same ingestion again.
[[nodiscard]] Remedy ingestion_again(const IngestOptions& options);

}  // namespace kgwalk::graph
