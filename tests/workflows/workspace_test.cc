// The file of a workspace.
#include "workflows/workspace.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

TEST(Workspace, IsReadAsItWasWritten) {
  const test::TempFolder folder;
  Workspace written = Workspace::in(folder / "films");
  written.text = folder / "encoders/small";
  written.write();
  const Workspace read = Workspace::read(folder / "films");
  EXPECT_EQ(read.database, folder / "films/kg.db");
  EXPECT_EQ(read.run, folder / "films/runs/walker");
  EXPECT_EQ(read.text, folder / "encoders/small");
}

TEST(Workspace, PathsInTheFileAreRelative) {
  const test::TempFolder folder;
  Workspace::in(folder / "films").write();
  EXPECT_EQ(read_file(folder / "films" / kWorkspaceFile).find((folder / "films").string()),
            std::string::npos);
}

TEST(Workspace, ADamagedFileIsRefused) {
  const test::TempFolder folder;
  for (const char* text : {"{}", "{\"format\": \"kgwalk-workspace\", \"version\": 2}",
                           "{\"format\": \"kgwalk-workspace\", \"version\": 1, \"runs\": \"x\"}"}) {
    write_file_atomically(folder / kWorkspaceFile, text);
    EXPECT_THROW((void)Workspace::read(folder / "."), ConfigError) << text;
  }
}

}  // namespace
}  // namespace kgwalk
