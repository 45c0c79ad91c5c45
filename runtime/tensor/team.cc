#include "runtime/tensor/team.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/optimizer.h"

namespace kgwalk {
namespace {

constexpr const char* kWeight = "loss";  // every batch has one, with the batch's weight

// Bytes as json holds them.
Json files_of(const RunFolder& folder) {
  Json files = Json::object();
  const auto add = [&](const std::filesystem::path& name) {
    const std::string bytes = read_file(folder.path() / name);
    files[name.string()] = Json::binary({bytes.begin(), bytes.end()});
  };
  for (const char* name : {"run.json", "config.json"}) add(name);
  const std::filesystem::path last = folder.checkpoint("last");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(last))
    if (entry.is_regular_file()) add(std::filesystem::relative(entry.path(), folder.path()));
  return files;
}

void write_files(const Json& files, const std::filesystem::path& folder) {
  for (const auto& [name, bytes] : files.items()) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    const Json::binary_t& binary = bytes.get_binary();
    replace_file(path, {reinterpret_cast<const char*>(binary.data()), binary.size()});
  }
}

std::string packed(const Json& json) {
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void UpdateNotes::add(std::int64_t batch, const std::string& name, double value, double weight) {
  rows_.push_back({batch, name, value, weight});
}

double UpdateNotes::weight() const {
  double sum = 0;
  for (const Row& row : rows_) sum += row.name == kWeight ? row.weight : 0;
  return sum;
}

void UpdateNotes::add_to(RunningMeans& means) const {
  for (const Row& row : rows_) means.add(row.name, row.value, row.weight);
}

std::string UpdateNotes::written(bool stop, const std::string& failure) const {
  Json rows = Json::array();
  for (const Row& row : rows_) rows.push_back(Json::array({row.batch, row.name, row.value, row.weight}));
  return packed({{"rows", std::move(rows)}, {"stop", stop}, {"failure", failure}});
}

void UpdateNotes::read(const Json& rows) {
  for (const Json& row : rows)
    rows_.push_back({row.at(0).get<std::int64_t>(), row.at(1).get<std::string>(), row.at(2).get<double>(),
                     row.at(3).get<double>()});
}

void Team::check(int batches_an_update, const RunManifest& manifest) {
  if (alone()) return;
  if (batches_an_update < all_.size())
    throw ConfigError("an update has " + std::to_string(batches_an_update) +
                      " batches (trainer.accumulate), too few for " + std::to_string(all_.size()) +
                      " processes, which share them; give trainer.accumulate a multiple of that number");
  const Json mine = {{"configuration", manifest.configuration},
                     {"checksums", manifest.checksums},
                     {"seed", manifest.seed.value_or(0)}};
  const std::vector<std::string> all = all_.gather(mine.dump());
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all.front())
      throw ConfigError("ranks 0 and " + std::to_string(rank) +
                        " were started with different configurations or data; start all of them alike");
}

void Team::share_checkpoint(RunFolder& folder) {
  if (alone()) return;
  const Json files =
      from_leader([&] { return folder.has_checkpoint("last") ? files_of(folder) : Json::object(); });
  if (leads() || files.empty()) return;
  write_files(files, folder.path());
  folder.read_manifest();
}

void Team::share_weights(torch::nn::Module& module) {
  if (alone()) return;
  for (auto& tensor : module.parameters()) {
    torch::Tensor weights = tensor.detach().contiguous();
    all_.broadcast(weights);
    const torch::NoGradGuard no_grad;
    tensor.copy_(weights);
  }
  for (auto& tensor : module.buffers()) {
    torch::Tensor values = tensor.detach().contiguous();
    all_.broadcast(values);
    tensor.copy_(values);
  }
}

void Team::share_state(FlatAdam& optimizer) {
  if (alone()) return;
  for (torch::Tensor* tensor : optimizer.buffers()) all_.broadcast(*tensor);
}

bool Team::exchange(UpdateNotes& notes, bool stop, const std::function<void()>& compute) {
  if (alone()) {
    compute();
    return stop;
  }
  std::exception_ptr failure;
  std::string told;
  try {
    compute();
  } catch (const std::exception& error) {
    failure = std::current_exception();
    told = error.what();
  }
  const std::vector<std::string> all = all_.gather(notes.written(stop, told));
  if (failure) std::rethrow_exception(failure);
  UpdateNotes of_all;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Json theirs = Json::from_cbor(all[rank]);
    if (const auto& why = theirs.at("failure").get_ref<const std::string&>(); !why.empty())
      throw Error("rank " + std::to_string(rank) + " stopped: " + why);
    stop |= theirs.at("stop").get<bool>();
    of_all.read(theirs.at("rows"));
  }
  std::stable_sort(of_all.rows_.begin(), of_all.rows_.end(),
                   [](const UpdateNotes::Row& a, const UpdateNotes::Row& b) { return a.batch < b.batch; });
  notes = std::move(of_all);
  return stop;
}

Json Team::from_leader(const std::function<Json()>& lead) {
  if (alone()) return lead();
  Json told;
  std::exception_ptr failure;
  if (leads()) {
    try {
      told = {{"result", lead()}};
    } catch (const std::exception& error) {
      failure = std::current_exception();
      told = {{"failure", error.what()}};
    }
  }
  told = Json::from_cbor(all_.broadcast(packed(told)));
  if (failure) std::rethrow_exception(failure);
  if (told.contains("failure")) throw Error("rank 0 stopped: " + told["failure"].get<std::string>());
  return told["result"];
}

void Team::sum_gradients(FlatAdam& optimizer) {
  if (!alone()) all_.sum(optimizer.gradients());
}

}  // namespace kgwalk
