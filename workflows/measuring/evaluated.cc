#include "workflows/measuring/evaluated.h"

#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "rl/training/run.h"
#include "runtime/files.h"

namespace kgwalk {

MeasuredModel resolved(MeasuredModel of, Reporter& reporter, const StopFlag& stop) {
  if (!of.packed.empty()) {
    const PackedModel model = PackedModel::open(of.packed, reporter, stop);
    if (of.runs.empty()) of.runs.push_back(model.run.string());
    if (of.database.empty()) of.database = model.database;
    if (of.text.empty()) of.text = model.text;
  }
  if (of.runs.empty()) throw ConfigError("a measure needs a packed model or a run");
  return of;
}

OpenedWalkers open_measured(const MeasuredModel& of) {
  std::vector<walker::WalkerRun> opened;
  for (const std::string& run : of.runs) opened.push_back(rl::open_walker_run(run));
  graph::Store store =
      graph::Store::open(of.database.empty() ? opened.front().folder.manifest().database : of.database,
                         graph::Store::Mode::kReadOnly);
  auto model = walker::open_walkers(store, opened, {.text = of.text, .other_graph = of.other_graph});
  return {std::move(opened), std::move(store), std::move(model)};
}

void rest_on(const OpenedWalkers& opened, ShardedWork& work) {
  work.rests_on("graph", opened.model->graph().checksum());
  for (const walker::WalkerRun& run : opened.runs)
    work.rests_on(run.folder.path().string(), walker::checksum_of_walker(run));
}

void keep_result(const MeasuredModel& of, OpenedWalkers& opened, const std::string& key, const Json& json) {
  if (opened.runs.size() == 1 && of.packed.empty()) opened.runs.front().folder.write_result(key, json);
}

void tell_ranks(const std::filesystem::path& file, std::span<const walker::LinkRank> ranks, Report& report) {
  if (file.empty()) return;
  if (ranks.empty()) throw Error(file.string() + ": nothing has right ends to be ranked");
  write_file_atomically(file, walker::table_of(ranks));
  report.text += walker::to_text(ranks);
  report.json["link_prediction"] = walker::summarize(ranks).to_json();
}

}  // namespace kgwalk
