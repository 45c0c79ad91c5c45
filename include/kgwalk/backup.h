// Copies of a database that are kept elsewhere, and a database put back from one: to be safe, or to have the
// same one on several machines.
//
// Example:
//   kgwalk::graph::back_up({.database = "kg.db", .folder = "backups/monday"});
//   kgwalk::graph::restore_backup({.database = "other/kg.db", .folder = "backups/monday"});
//
// A backup is a folder that holds the whole database, its edits, dialogues and tables too, as a database that
// can be opened for reading where it lies, and a file BACKUP with the length and checksum of each file
// (docs/reference/formats/graph.md). It is one state of the database: the one that was there when the backup
// began, also where other processes read, edit or compact it meanwhile. It takes no lock, so that nobody
// waits for it.
//
// Errors: StoreError when there is no whole database, or no whole backup: one that was interrupted, whose
// files are damaged, missing, or were changed since; when there is something at the place to be written and
// `replace` is not set, or something else than what is to be replaced, or a process writes it. IoError when
// the system refuses (disk full). Stopped when asked to. After each of them the place that was to be written
// is as it was.
//
// Threads: functions without state; one at a time writes a place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

struct BackupOptions {
  std::filesystem::path database = {};  // needed: of back_up() there, of restore_backup() to be made
  std::filesystem::path folder = {};    // needed: the backup
  bool replace = false;                 // what lies where is to be written, once the new one is whole
};

struct BackupReport {
  std::uint64_t files = 0, bytes = 0;
  std::uint64_t last_edit = 0;  // that is in it; 0: none
  std::string graph_checksum;   // of the graph that ingestion or the last compaction made
  [[nodiscard]] Json to_json() const;
};

// Makes the backup. Values are compared with their checksums on the way. Takes about as long as copying the
// folder.
BackupReport back_up(const BackupOptions& options, Reporter& reporter = silent_reporter(),
                     const StopFlag& stop = never_stop());

// Makes the database of a backup, in which every byte is compared with its checksum first. Processes that
// have the database open which is replaced keep the one before until they open it anew.
BackupReport restore_backup(const BackupOptions& options, Reporter& reporter = silent_reporter(),
                            const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
