#include <algorithm>
#include <string>

#include "embeddings/transe/transe.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "runtime/config.h"

namespace kgwalk::embeddings {
namespace {

Matrix matrix_of(const graph::Table& table) {
  Matrix out(table.rows, static_cast<int>(table.columns));
  for (std::int64_t i = 0; i < table.rows; ++i)
    std::copy_n(table.values.data() + i * table.columns, table.columns, out.row(i));
  return out;
}

void check_id(std::uint32_t id, std::int64_t rows, const char* what) {
  if (id >= rows)
    throw ConfigError(std::string(what) + " " + std::to_string(id) + " has no vector: there are " +
                      std::to_string(rows));
}

}  // namespace

struct TransETables::Impl {
  TransEModel model;
  Json meta;

  // The `count` entities nearest to a point, [stride]; `left_out` is none of them.
  std::vector<NearEntity> nearest(const float* point, std::size_t count, std::int64_t left_out) const;
};

std::vector<NearEntity> TransETables::Impl::nearest(const float* point, std::size_t count,
                                                    std::int64_t left_out) const {
  std::vector<float> distances(static_cast<std::size_t>(model.entities.rows()));
  distances_to_range(model.norm, point, model.entities, 0, model.entities.rows(), distances.data());
  std::vector<NearEntity> out;
  out.reserve(distances.size());
  for (std::size_t e = 0; e < distances.size(); ++e)
    if (static_cast<std::int64_t>(e) != left_out) out.push_back({static_cast<EntityId>(e), distances[e]});
  const std::size_t kept = std::min(count, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(),
                    [](const NearEntity& a, const NearEntity& b) {
                      return a.distance != b.distance ? a.distance < b.distance : a.entity < b.entity;
                    });
  out.resize(kept);
  return out;
}

std::optional<TransETables> TransETables::open(const graph::Store& store, int dim) {
  const std::string prefix = "transe/" + std::to_string(dim) + "/";
  std::optional<graph::Table> entities = store.get_table(prefix + "entities");
  const std::optional<graph::Table> relations = store.get_table(prefix + "relations");
  if (!entities || !relations) return std::nullopt;
  if (entities->meta.at("graph_checksum") != store.graph_checksum() ||
      relations->meta.at("graph_checksum") != store.graph_checksum())
    throw StoreError(store.path().string() + ": its TransE tables were made for another graph",
                     Remedy{Remedy::kEmbed, store.path().string(), {{"dim", std::to_string(dim)}}});
  GraphEmbeddingConfig config;
  apply_json(config, entities->meta.at("config"), store.path().string() + ", table " + prefix + "entities");
  return TransETables(std::make_unique<const Impl>(Impl{
      {norm_of(config.transe), matrix_of(*entities), matrix_of(*relations)}, std::move(entities->meta)}));
}

TransETables::TransETables(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
TransETables::TransETables(TransETables&&) noexcept = default;
TransETables& TransETables::operator=(TransETables&&) noexcept = default;
TransETables::~TransETables() = default;

int TransETables::dim() const noexcept { return impl_->model.entities.dim(); }
std::uint32_t TransETables::num_entities() const noexcept {
  return static_cast<std::uint32_t>(impl_->model.entities.rows());
}
std::uint32_t TransETables::num_relations() const noexcept {
  return static_cast<std::uint32_t>(impl_->model.relations.rows());
}
const Json& TransETables::meta() const noexcept { return impl_->meta; }

std::span<const float> TransETables::entity(EntityId entity) const {
  check_id(entity, impl_->model.entities.rows(), "entity");
  return impl_->model.entities.values(entity);
}

std::span<const float> TransETables::relation(RelationId relation) const {
  check_id(relation, impl_->model.relations.rows(), "relation");
  return impl_->model.relations.values(relation);
}

float TransETables::distance(const Triple& triple) const {
  check_id(triple.head, impl_->model.entities.rows(), "entity");
  check_id(triple.relation, impl_->model.relations.rows(), "relation");
  check_id(triple.tail, impl_->model.entities.rows(), "entity");
  return impl_->model.distance(triple);
}

std::vector<NearEntity> TransETables::nearest_tails(EntityId head, RelationId relation,
                                                    std::size_t count) const {
  check_id(head, impl_->model.entities.rows(), "entity");
  check_id(relation, impl_->model.relations.rows(), "relation");
  Matrix point(1, dim());
  impl_->model.question(head, relation, Side::kTail, point.row(0));
  return impl_->nearest(point.row(0), count, -1);
}

std::vector<NearEntity> TransETables::nearest_heads(RelationId relation, EntityId tail,
                                                    std::size_t count) const {
  check_id(tail, impl_->model.entities.rows(), "entity");
  check_id(relation, impl_->model.relations.rows(), "relation");
  Matrix point(1, dim());
  impl_->model.question(tail, relation, Side::kHead, point.row(0));
  return impl_->nearest(point.row(0), count, -1);
}

std::vector<NearEntity> TransETables::nearest_entities(EntityId entity, std::size_t count) const {
  check_id(entity, impl_->model.entities.rows(), "entity");
  return impl_->nearest(impl_->model.entities.row(entity), count, entity);
}

}  // namespace kgwalk::embeddings
