#include "runtime/tensor/checkpoint.h"

#include <gtest/gtest.h>

#include <functional>

#include "kgwalk/error.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::TempFolder;

Checkpoint example() { return {{{"w", torch::randn({3})}}, {{"m", torch::randn({5})}}, {{"step", 12}}}; }

TEST(Checkpoint, ComesBackWithItsExtras) {
  const TempFolder folder;
  const Checkpoint checkpoint = example();
  write_checkpoint(folder / "c", checkpoint,
                   [](const fs::path& p) { write_file_atomically(p / "more", "x"); });
  const Checkpoint read = read_checkpoint(folder / "c");
  EXPECT_EQ(checksum_of(read.model), checksum_of(checkpoint.model));
  EXPECT_EQ(checksum_of(read.optimizer), checksum_of(checkpoint.optimizer));
  EXPECT_EQ(read.state["step"], 12);
  EXPECT_EQ(checksum_of(read_checkpoint_model(folder / "c")), checksum_of(checkpoint.model));
  EXPECT_EQ(read_file(folder / "c" / "more"), "x");
}

TEST(Checkpoint, WithoutAnOptimizerHasNone) {
  const TempFolder folder;
  write_checkpoint(folder / "c", {example().model, {}, {{"step", 1}}});
  EXPECT_TRUE(read_checkpoint(folder / "c").optimizer.empty());
  EXPECT_FALSE(fs::exists(folder / "c" / "optimizer.safetensors"));
}

TEST(Checkpoint, WhatIsMissingDamagedOrOfAnotherVersionIsRefused) {
  const TempFolder folder;
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)read_checkpoint(folder / "absent"); }),
                       "is no checkpoint"));
  const auto broken = [&](const std::function<void(const fs::path&)>& damage) {
    write_checkpoint(folder / "c", example());
    damage(folder / "c");
    EXPECT_THROW((void)read_checkpoint(folder / "c"), Error);
  };
  broken([](const fs::path& c) { fs::remove(c / "model.safetensors"); });
  broken([](const fs::path& c) { fs::remove(c / "optimizer.safetensors"); });
  broken([](const fs::path& c) { fs::resize_file(c / "optimizer.safetensors", 40); });
  broken([](const fs::path& c) { write_file_atomically(c / "state.json", "{}"); });
  broken([](const fs::path& c) { write_file_atomically(c / "state.json", "oops"); });
  broken([](const fs::path& c) {
    Json state = read_json_file(c / "state.json");
    state["version"] = 2;
    write_file_atomically(c / "state.json", state.dump());
  });
  broken([](const fs::path& c) {
    std::string bytes = read_file(c / "model.safetensors");
    bytes.back() ^= 1;
    write_file_atomically(c / "model.safetensors", bytes);
  });
}

}  // namespace
}  // namespace kgwalk
