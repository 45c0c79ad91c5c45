#include <string>
#include <utility>

#include "kgwalk/distance_factors.h"
#include "kgwalk/error.h"

namespace kgwalk::embeddings {

struct DistanceTables::Impl {
  graph::Table left, right;

  [[nodiscard]] static std::span<const float> row(const graph::Table& table, graph::EntityId entity) {
    if (entity >= table.rows)
      throw ConfigError("entity " + std::to_string(entity) + " has no distance factors: there are " +
                        std::to_string(table.rows));
    const auto rank = static_cast<std::size_t>(table.columns);
    return std::span(table.values).subspan(entity * rank, rank);
  }
};

std::optional<DistanceTables> DistanceTables::open(const graph::Store& store, int rank) {
  const std::string prefix = "distance/" + std::to_string(rank) + "/";
  std::optional<graph::Table> left = store.get_table(prefix + "left");
  std::optional<graph::Table> right = store.get_table(prefix + "right");
  if (!left || !right) return std::nullopt;
  if (left->meta.at("graph_checksum") != store.graph_checksum() ||
      right->meta.at("graph_checksum") != store.graph_checksum())
    throw StoreError(
        store.path().string() + ": its distance factors were made for another graph",
        Remedy{Remedy::kFactorizeDistances, store.path().string(), {{"rank", std::to_string(rank)}}});
  return DistanceTables(std::make_unique<const Impl>(Impl{std::move(*left), std::move(*right)}));
}

DistanceTables::DistanceTables(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
DistanceTables::DistanceTables(DistanceTables&&) noexcept = default;
DistanceTables& DistanceTables::operator=(DistanceTables&&) noexcept = default;
DistanceTables::~DistanceTables() = default;

int DistanceTables::rank() const noexcept { return static_cast<int>(impl_->left.columns); }
std::uint32_t DistanceTables::num_entities() const noexcept {
  return static_cast<std::uint32_t>(impl_->left.rows);
}
const Json& DistanceTables::meta() const noexcept { return impl_->left.meta; }

std::span<const float> DistanceTables::left(graph::EntityId entity) const {
  return Impl::row(impl_->left, entity);
}
std::span<const float> DistanceTables::right(graph::EntityId entity) const {
  return Impl::row(impl_->right, entity);
}

float DistanceTables::estimate(graph::EntityId a, graph::EntityId b) const {
  const std::span<const float> x = left(a), y = right(b);
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace kgwalk::embeddings
