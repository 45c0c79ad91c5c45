#include "cli/frame/shard_options.h"

#include <string_view>

#include "kgwalk/error.h"

namespace kgwalk::cli {
namespace {

constexpr std::string_view kOptions[] = {"--shard", "--part"};

// The arguments behind the program's name without those that differ from shard to shard.
std::vector<std::string> without_shard(const std::vector<std::string>& argv) {
  std::vector<std::string> kept;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    bool left_out = false;
    for (const std::string_view option : kOptions) {
      left_out |= argv[i].starts_with(std::string(option) + "=");
      if (argv[i] != option) continue;
      left_out = true;
      ++i;  // its value
      break;
    }
    if (!left_out) kept.push_back(argv[i]);
  }
  return kept;
}

}  // namespace

void add_shards(CLI::App& app, Shards& shards) {
  const char* group = "Many machines";
  CLI::Option* part = app.add_option("--part", shards.part, "with --shard: file for what this shard found")
                          ->check(output_file())
                          ->group(group);
  CLI::Option* shard = app.add_option_function<std::string>(
                              "--shard",
                              [&shards](const std::string& text) {
                                try {
                                  read_shard(text, shards);
                                } catch (const ConfigError& error) {
                                  throw CLI::ValidationError("--shard", error.what());
                                }
                              },
                              "do this part of the work alone, as 2/8: the second of eight; 'kgwalk merge' "
                              "makes the whole of the parts")
                           ->needs(part)
                           ->group(group);
  part->needs(shard);
  app.add_option("--parts", shards.parts,
                 "files of all shards, taken in place of computing: what 'kgwalk merge' gives")
      ->check(input_file())
      ->excludes(shard)
      ->group(group);
}

Shards shards_of(const Shards& parsed, const Common& common) {
  Shards shards = parsed;
  shards.command = without_shard(common.argv);
  return shards;
}

}  // namespace kgwalk::cli
