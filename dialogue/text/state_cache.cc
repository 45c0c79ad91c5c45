#include "dialogue/text/state_cache.h"

#include <cstring>
#include <string_view>

#include "kgwalk/error.h"
#include "runtime/config.h"

namespace kgwalk::dialogue {
namespace {

constexpr int kFormat = 1;

std::string blob_name(const StateCache& cache) { return "text_states/" + cache.slot; }

Json meta_of(const StateKey& key) {
  return {{"format", kFormat},  {"dtype", "F16"},   {"encoder", key.encoder},
          {"texts", key.texts}, {"rows", key.rows}, {"width", key.width}};
}

bool same_key(const Json& meta, const StateKey& key) {
  const Json want = meta_of(key);
  for (const auto& [name, value] : want.items()) {
    const auto it = meta.find(name);
    if (it == meta.end() || *it != value) return false;
  }
  return true;
}

}  // namespace

std::optional<torch::Tensor> read_states(const StateCache& cache, const StateKey& key, Reporter& reporter) {
  if (cache.read == nullptr || cache.slot.empty()) return std::nullopt;
  const std::string name = blob_name(cache);
  try {
    const std::optional<Json> meta = cache.read->blob_meta(name);
    if (!meta || !same_key(*meta, key)) return std::nullopt;
    const std::optional<std::string> bytes = cache.read->get_blob(name);
    if (!bytes || bytes->size() != static_cast<std::size_t>(key.rows * key.width) * 2) {
      reporter.warn("cached text states '" + name +
                    "' have another size than they say; they are computed anew");
      return std::nullopt;
    }
    torch::Tensor states = torch::empty({key.rows, key.width}, torch::kHalf);
    std::memcpy(states.data_ptr(), bytes->data(), bytes->size());
    return states;
  } catch (const StoreError& error) {
    reporter.warn("cached text states '" + name + "' are damaged and computed anew: " + error.what());
    return std::nullopt;
  }
}

void write_states(const StateCache& cache, const StateKey& key, const torch::Tensor& states) {
  if (cache.write == nullptr || cache.slot.empty()) return;
  const torch::Tensor plain = states.contiguous();
  TORCH_CHECK(plain.dtype() == torch::kHalf && plain.size(0) == key.rows && plain.size(1) == key.width);
  const std::string_view bytes(static_cast<const char*>(plain.data_ptr()),
                               static_cast<std::size_t>(plain.numel()) * 2);
  cache.write->put_blob(blob_name(cache), bytes, meta_of(key));
}

}  // namespace kgwalk::dialogue
