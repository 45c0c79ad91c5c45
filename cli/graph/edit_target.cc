#include "cli/graph/edit_target.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"

namespace kgwalk::cli {

std::string author_of_session() {
  for (const char* name : {"USER", "LOGNAME"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  const passwd* const user = getpwuid(geteuid());
  return user == nullptr ? "" : user->pw_name;
}

void refuse_packed(const std::filesystem::path& database) {
  if (is_in_packed_model(database))
    throw ConfigError(
        database.string() +
        ": files of a packed model are read-only; edit the database that it was packed from and "
        "pack it again");
}

void tell_edit(const graph::EditReport& report, const Common& common) {
  for (const std::string& note : report.notes) print("note        {}\n", note);
  if (report.number == 0) {
    print_text("nothing is changed\n");
  } else {
    print("edit        {}\n", report.number);
    const auto tell = [](const char* what, std::uint64_t count) {
      if (count > 0) print("{:<12}{}\n", what, counted(count));
    };
    tell("added", report.facts_added);
    tell("retracted", report.facts_retracted);
    tell("entities", report.new_entities);
    tell("relations", report.new_relations);
    tell("other", report.other_changes);
    tell("unchanged", report.unchanged);
  }
  common.write_json(report.to_json());
}

}  // namespace kgwalk::cli
