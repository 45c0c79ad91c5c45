// A folder as one file: a POSIX tar archive in one zstd frame, so that `tar --zstd -xf` opens it too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/progress.h"

namespace kgwalk {

// Whether the file begins as zstd does.
[[nodiscard]] bool is_zstd_file(const std::filesystem::path& file);

// Writes the regular files of `folder`, `first` before all others and these by name, with neither times nor
// owners: the same folder gives the same bytes. The file is whole or not there. IoError; Stopped when asked
// to stop.
void pack_folder(const std::filesystem::path& folder, const std::string& first,
                 const std::filesystem::path& file, Reporter& reporter, const StopFlag& stop);

// Fills `folder`, which must be there, with what the file holds. FormatError when it is no such archive, is
// damaged or has lost its end, or holds other than files below the folder; IoError; Stopped.
void unpack_folder(const std::filesystem::path& file, const std::filesystem::path& folder, Reporter& reporter,
                   const StopFlag& stop);

}  // namespace kgwalk
