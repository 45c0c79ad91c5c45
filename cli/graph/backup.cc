// kgwalk backup, kgwalk restore: a database copied whole, while others use it, and put back.
#include "kgwalk/backup.h"

#include "cli/frame/command.h"
#include "cli/frame/print.h"

namespace kgwalk::cli {
namespace {

using graph::BackupOptions;
using graph::BackupReport;

void tell_backup(std::string_view made, const BackupReport& report, const Common& common) {
  print("made        {} ({} files, {:.1f} MB)\n", made, report.files,
        static_cast<double>(report.bytes) / 1e6);
  if (report.last_edit > 0) print("last edit   {}\n", report.last_edit);
  common.write_json(report.to_json());
}

Verb add_backup(CLI::App& app, Common& common) {
  auto options = std::make_shared<BackupOptions>();
  app.add_option("--db", options->database, "database, a folder; others may use and edit it meanwhile")
      ->required();
  app.add_option("--to", options->folder, "the backup, a folder to make")->required();
  app.add_flag("--replace", options->replace, "replace the backup that is there, once the new one is whole");
  return [options, &common] {
    tell_backup(options->folder.string(), graph::back_up(*options, *common.reporter, *common.stop), common);
  };
}

Verb add_restore(CLI::App& app, Common& common) {
  auto options = std::make_shared<BackupOptions>();
  app.add_option("--from", options->folder, "the backup, as kgwalk backup made it; all of it is checked")
      ->required();
  app.add_option("--db", options->database, "database to make, a folder")->required();
  app.add_flag("--replace", options->replace,
               "replace the database that is there, once the new one is whole");
  return [options, &common] {
    const BackupReport report = graph::restore_backup(*options, *common.reporter, *common.stop);
    tell_backup(options->database.string(), report, common);
  };
}

const Registration kBackupCommand({.name = "backup",
                                   .help = "copy a database as it is, while others use it",
                                   .example = "--db films.db --to backups/monday",
                                   .add = add_backup,
                                   .group = Group::kGraph,
                                   .place = 4});
const Registration kRestoreCommand({.name = "restore",
                                    .help = "make a database from its backup",
                                    .example = "--from backups/monday --db films.db",
                                    .add = add_restore,
                                    .group = Group::kGraph,
                                    .place = 4});

}  // namespace
}  // namespace kgwalk::cli
