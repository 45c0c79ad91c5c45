// Packing: the parts of a model copied into a folder, each file noted in the manifest.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "dialogue/response/config.h"
#include "graph/store/copy_store.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/planner.h"
#include "kgwalk/store.h"
#include "listening/network/listener.h"
#include "planner/archive.h"
#include "planner/model_manifest.h"
#include "rl/simulator/simulator_run.h"
#include "rl/training/run.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "walker/training/run.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr const char *kDatabase = "database", *kRun = "run", *kText = "text", *kSimulator = "simulator",
                     *kResponder = "responder", *kListener = "listener";
constexpr std::string_view kTextStates = "text_states/";  // made again when they are missing

bool is_one_file(const fs::path& out) { return out.extension() == ".zst" || out.extension() == ".zstd"; }

void copy_into(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  fs::copy_file(file, folder / file.filename(), error);
  if (error)
    throw IoError(file.string() + ": cannot be copied to " + folder.string() + ": " + error.message());
}

void copy_files(const fs::path& from, const fs::path& to, auto&& chosen) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    if (entry.is_regular_file() && chosen(entry.path().filename().string())) copy_into(entry.path(), to);
}

// A run without what only its training needs. Paths to what lies beside it become relative; `up`: the model's
// folder from the run's.
void copy_run(const fs::path& from, const fs::path& to, const Json& parts, const fs::path& up = "..") {
  copy_into(from / "run.json", to);
  Json config = read_json_file((from / "config.json").string());
  const std::array<std::pair<const char*, const char*>, 3> beside = {
      {{"database", kDatabase}, {"text", kText}, {"simulator", kSimulator}}};
  for (const auto& [key, part] : beside) {
    if (!config.contains(key) || !config[key].is_string()) continue;
    if (parts.contains(part))
      config[key] = (up / part).string();
    else
      config.erase(key);
  }
  if (config.contains("from") && config["from"].is_string()) config.erase("from");
  write_file_atomically(to / "config.json", config.dump(2) + "\n");
  for (const char* file : {"results.json", "acts.bin"})
    if (fs::exists(from / file)) copy_into(from / file, to);
  const auto used = [](const std::string& name) {
    return name != "optimizer.safetensors" && !name.ends_with(".partial");
  };
  for (const fs::path& folder : {fs::path("checkpoints") / "best", fs::path("model")})
    if (fs::is_directory(from / folder)) copy_files(from / folder, to / folder, used);
}

// The files that an encoder is read from, and what tells its license.
bool belongs_to_encoder(const std::string& name) {
  const std::string ending = fs::path(name).extension().string();
  return name == "model.safetensors" || ending == ".json" || ending == ".txt" || ending == ".model" ||
         ending == ".md" || name.find("LICENSE") != std::string::npos || name == "NOTICE";
}

class Packing {
 public:
  Packing(const PackOptions& options, Reporter& reporter, const StopFlag& stop)
      : options_(options), reporter_(reporter), stop_(stop), run_(rl::open_walker_run(options.run)) {
    const Planner planner =
        Planner::open(options.database, options.run, {.threads = 0, .text = options.text});
    facts_ = {{"entities", planner.graph().num_entities()},
              {"relations", planner.graph().num_relations()},
              {"edges", planner.graph().num_edges()},
              {"checksum", planner.graph().checksum()}};
    parts_ = {{"database", kDatabase}, {"run", kRun}};
    need(run_.config.train_splits, run_.config.metapath);
    if (walker::hears_text(run_.config))
      text_ = options.text.empty() ? run_.folder.manifest().text : options.text;
    if (!text_.empty()) parts_["text"] = kText;
    if (!options.simulator.empty()) {
      const RunFolder simulator = RunFolder::open(options.simulator, rl::kSimulatorRun);
      const rl::SimulatorConfig config = rl::simulator_config_of(simulator);
      splits_.insert(config.train_splits.begin(), config.train_splits.end());
      parts_["simulator"] = kSimulator;
    }
    if (!options.responder.empty()) {
      (void)RunFolder::open(options.responder, dialogue::kResponseRun);
      parts_["responder"] = kResponder;
    }
    listener_ = options.listener;
    if (listener_.empty() && RunFolder::is_run(options.run / kListener)) listener_ = options.run / kListener;
    if (!listener_.empty()) {
      listener_text_ = RunFolder::open(listener_, listening::kListenerRun).manifest().text;
      if (!listener_text_.empty() && text_.empty()) {
        text_ = listener_text_;
        parts_["text"] = kText;
      }
      parts_["listener"] = (fs::path(kRun) / kListener).string();
    }
    for (const std::string& table : options.tables) tables_.insert(table);
  }

  Json fill(const fs::path& folder) {
    copy_database(folder / kDatabase);
    copy_run(options_.run, folder / kRun, parts_);
    if (!text_.empty()) copy_text(text_, folder / kText);
    if (!listener_.empty()) copy_listener(folder / kRun / kListener);
    if (parts_.contains("simulator")) copy_run(options_.simulator, folder / kSimulator, parts_);
    if (parts_.contains("responder")) copy_run(options_.responder, folder / kResponder, parts_);
    if (!options_.introduction.is_null())
      write_file_atomically(folder / kIntroductionFile, options_.introduction.dump(2) + "\n");
    Json manifest = describe();
    manifest["files"] = list(folder);
    write_file_atomically(folder / kManifestFile, manifest.dump(2) + "\n");
    return manifest;
  }

  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  // What a part of the model reads of the database.
  void need(const std::vector<std::string>& splits, const walker::MetaPathConfig& metapath) {
    splits_.insert(splits.begin(), splits.end());
    if (run_.config.model == walker::WalkerKind::kPrior) return;
    if (!metapath.random_tables)
      tables_.insert(embeddings::StoredEmbedding{metapath.kg_model, metapath.kg_width}.name());
    if (metapath.distance_width > 0) tables_.insert("distance/" + std::to_string(metapath.distance_width));
  }

  // "transe/32" stands for all tables below it.
  [[nodiscard]] bool keeps_table(std::string_view name) const {
    return std::any_of(tables_.begin(), tables_.end(),
                       [&](const std::string& kept) { return name == kept || name.starts_with(kept + "/"); });
  }

  void copy_database(const fs::path& to) {
    const graph::Store store = graph::Store::open(options_.database, graph::Store::Mode::kReadOnly);
    sources_ = known_sources(store.meta().value("sources", Json::object()));
    for (const std::string& name : store.table_names())
      if (!keeps_table(name)) left_out_.push_back(name);
    for (const std::string& name : store.blob_names())
      if (name.starts_with(kTextStates)) left_out_.push_back(name);
    graph::copy_store(store, to,
                      {.splits = [&](std::string_view name) { return splits_.contains(std::string(name)); },
                       .tables = [&](std::string_view name) { return keeps_table(name); },
                       .blobs = [](std::string_view name) { return !name.starts_with(kTextStates); }},
                      reporter_, stop_);
  }

  void copy_text(const fs::path& text, const fs::path& to) {
    reporter_.info("copying the text encoder");
    const fs::path inner = text / "encoder";  // of a run of pre-training
    const bool own = fs::exists(inner / "model.safetensors");
    const fs::path from = own ? inner : text;
    if (!fs::exists(from / "model.safetensors"))
      throw FormatError(text.string() + ": is no folder of a text encoder (model.safetensors is missing)");
    copy_files(from, to, belongs_to_encoder);
    sources_.push_back(text_source(text, own));
  }

  // The listener may hear through another encoder than the walker: that one lies in its folder.
  void copy_listener(const fs::path& to) {
    copy_run(listener_, to, parts_, fs::path("..") / "..");
    if (listener_text_.empty()) return;
    std::error_code ignored;
    if (text_ == listener_text_ || fs::equivalent(text_, listener_text_, ignored)) return;
    copy_text(listener_text_, to / kText);
    Json config = read_json_file((to / "config.json").string());
    config["text"] = kText;
    write_file_atomically(to / "config.json", config.dump(2) + "\n");
  }

  Json describe() {
    sources_.insert(sources_.end(), options_.sources.begin(), options_.sources.end());
    Json data = Json::array();
    for (const ModelSourceNote& source : sources_)
      data.push_back({{"name", source.name}, {"license", source.license}, {"terms", source.terms}});
    fs::path stem =
        options_.out.has_filename() ? options_.out.filename() : options_.out.parent_path().filename();
    while (is_one_file(stem) || stem.extension() == ".tar") stem = stem.stem();
    return {
        {"format", kManifestFormat},
        {"version", kManifestVersion},
        {"what", "a trained model of kgwalk with all that it needs; `kgwalk chat` with its path talks to it"},
        {"name", options_.name.empty() ? stem.string() : options_.name},
        {"about", options_.about},
        {"license", options_.license.empty() ? license_of(sources_) : options_.license},
        {"passing_on", options_.license.empty() ? passing_on(sources_) : "As its license says."},
        {"data", std::move(data)},
        {"program", options_.version},
        {"graph", facts_},
        {"walker",
         {{"kind", run_.folder.manifest().kind},
          {"model", run_.config.model.name()},
          {"listens", run_.config.listen.on || parts_.contains("listener")}}},
        {"left_out", left_out_},
        {"parts", parts_}};
  }

  Json list(const fs::path& folder) const {
    Json files = Json::object();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (stop_.requested()) throw Stopped("packing was stopped; nothing was written");
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(folder).generic_string()] = {
          {"bytes", entry.file_size()}, {"checksum", checksum_of_file(entry.path())}};
    }
    return files;
  }

  const PackOptions& options_;
  Reporter& reporter_;
  const StopFlag& stop_;
  walker::WalkerRun run_;
  fs::path text_, listener_, listener_text_;
  Json facts_, parts_;
  std::set<std::string> splits_, tables_;
  std::vector<std::string> left_out_;
  std::vector<ModelSourceNote> sources_;
};

void check_options(const PackOptions& options) {
  Problems problems;
  if (options.database.empty()) problems.add("database", "is needed");
  if (options.run.empty()) problems.add("run", "is needed");
  if (options.out.empty()) problems.add("out", "is needed: a folder, or a file that ends in .tar.zst");
  problems.throw_if_any("packing a model");
  std::error_code ignored;
  if (!fs::exists(options.out, ignored)) return;
  if (!options.replace)
    throw ConfigError(options.out.string() +
                      ": exists already; allow it to be replaced or choose another place");
  const bool is_model = is_packed_model(options.out) ||
                        (fs::is_directory(options.out, ignored) && fs::is_empty(options.out, ignored));
  if (!is_model)
    throw ConfigError(options.out.string() +
                      ": is no packed model and will not be replaced; choose another place");
}

std::uint64_t bytes_of(const Json& manifest) {
  std::uint64_t bytes = 0;
  for (const auto& [name, facts] : manifest["files"].items()) bytes += facts["bytes"].get<std::uint64_t>();
  return bytes;
}

}  // namespace

PackReport pack_model(const PackOptions& options, Reporter& reporter, const StopFlag& stop) {
  check_options(options);
  Packing packing(options, reporter, stop);
  PackReport report{.out = options.out, .left_out = {}, .manifest = {}};
  if (is_one_file(options.out)) {
    const fs::path folder = begin_folder(options.out);
    try {
      report.manifest = packing.fill(folder);
      pack_folder(folder, kManifestFile, options.out, reporter, stop);
      fs::remove_all(folder);
    } catch (...) {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
      throw;
    }
    report.bytes = fs::file_size(options.out);
  } else {
    write_folder_atomically(options.out,
                            [&](const fs::path& folder) { report.manifest = packing.fill(folder); });
    report.bytes = bytes_of(report.manifest);
  }
  report.unpacked = bytes_of(report.manifest);
  report.left_out = packing.left_out();
  return report;
}

}  // namespace kgwalk
