#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "embeddings/links/embedding_model.h"
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

// "complex/128/entities" of a kind and a width; nothing of any other name.
std::optional<StoredEmbedding> stored_under(std::string_view table) {
  constexpr std::string_view kEnd = "/entities";
  const std::size_t slash = table.find('/');
  if (slash == std::string_view::npos || !table.ends_with(kEnd)) return std::nullopt;
  StoredEmbedding found;
  if (!found.kind.assign(std::string(table.substr(0, slash)))) return std::nullopt;
  const std::string_view width = table.substr(slash + 1, table.size() - kEnd.size() - slash - 1);
  const auto read = std::from_chars(width.data(), width.data() + width.size(), found.dim);
  if (read.ec != std::errc() || read.ptr != width.data() + width.size()) return std::nullopt;
  return found;
}

}  // namespace

std::string StoredEmbedding::name() const { return std::string(kind.name()) + "/" + std::to_string(dim); }

std::vector<StoredEmbedding> stored_embeddings(const graph::Store& store) {
  std::vector<StoredEmbedding> all;
  for (const std::string& table : store.table_names()) {
    std::optional<StoredEmbedding> found = stored_under(table);
    if (!found) continue;
    const std::optional<Json> meta = store.table_meta(table);
    if (meta && meta->contains("held_out"))
      found->mrr = meta->at("held_out").at("both").at("mrr").get<double>();
    all.push_back(*found);
  }
  std::ranges::stable_sort(all, [](const StoredEmbedding& a, const StoredEmbedding& b) {
    return a.mrr != b.mrr ? a.mrr > b.mrr : a.dim > b.dim;
  });
  return all;
}

struct EmbeddingTables::Impl {
  EmbeddingModel model;
  Json meta;

  // The `count` entities nearest to a point, [stride]; `left_out` is none of them.
  std::vector<NearEntity> nearest(Measure measure, const float* point, std::size_t count,
                                  std::int64_t left_out) const;
  std::vector<NearEntity> ask(EntityId given, RelationId relation, Side side, std::size_t count) const;
};

std::vector<NearEntity> EmbeddingTables::Impl::nearest(Measure measure, const float* point, std::size_t count,
                                                       std::int64_t left_out) const {
  std::vector<float> distances(static_cast<std::size_t>(model.entities.rows()));
  distances_to_range(measure, point, model.entities, 0, model.entities.rows(), distances.data());
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

std::vector<NearEntity> EmbeddingTables::Impl::ask(EntityId given, RelationId relation, Side side,
                                                   std::size_t count) const {
  check_id(given, model.entities.rows(), "entity");
  check_id(relation, model.relations.rows(), "relation");
  Matrix point(1, model.entities.dim());
  model.question(given, relation, side, point.row(0));
  return nearest(model.measure, point.row(0), count, -1);
}

std::optional<EmbeddingTables> EmbeddingTables::open(const graph::Store& store, Choice<EmbeddingKind> kind,
                                                     int dim) {
  const std::string name = StoredEmbedding{kind, dim}.name();
  std::optional<graph::Table> entities = store.get_table(name + "/entities");
  const std::optional<graph::Table> relations = store.get_table(name + "/relations");
  if (!entities || !relations) return std::nullopt;
  if (entities->meta.at("graph_checksum") != store.graph_checksum() ||
      relations->meta.at("graph_checksum") != store.graph_checksum())
    throw StoreError(store.path().string() + ": its tables " + name + " were made for another graph",
                     Remedy{Remedy::kEmbed,
                            store.path().string(),
                            {{"model", std::string(kind.name())}, {"dim", std::to_string(dim)}}});
  GraphEmbeddingConfig config;
  apply_json(config, entities->meta.at("config"), store.path().string() + ", table " + name + "/entities");
  const ScoreModel& score = score_model(kind);
  EmbeddingModel model{&score, score.measure(config.embedding), matrix_of(*entities), matrix_of(*relations),
                       Matrix()};
  if (entities->meta.contains("reverse"))
    model.reverse = entities->meta.at("reverse").get<std::vector<RelationId>>();
  return EmbeddingTables(std::make_unique<const Impl>(Impl{std::move(model), std::move(entities->meta)}));
}

EmbeddingTables EmbeddingTables::open_best(const graph::Store& store, const std::string& kind, int dim) {
  std::optional<Choice<EmbeddingKind>> wanted;
  if (!kind.empty()) wanted.emplace(kind);
  for (const StoredEmbedding& found : stored_embeddings(store)) {
    if (wanted && found.kind != *wanted) continue;
    if (dim > 0 && found.dim != dim) continue;
    if (auto tables = open(store, found.kind, found.dim)) return std::move(*tables);
  }
  Remedy remedy{Remedy::kEmbed, store.path().string()};
  if (!kind.empty()) remedy.arguments.emplace_back("model", kind);
  if (dim > 0) remedy.arguments.emplace_back("dim", std::to_string(dim));
  throw StoreError(store.path().string() + ": there are no tables of embeddings" +
                       (kind.empty() ? "" : " by " + kind) +
                       (dim > 0 ? " that are " + std::to_string(dim) + " wide" : ""),
                   std::move(remedy));
}

EmbeddingTables::EmbeddingTables(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
EmbeddingTables::EmbeddingTables(EmbeddingTables&&) noexcept = default;
EmbeddingTables& EmbeddingTables::operator=(EmbeddingTables&&) noexcept = default;
EmbeddingTables::~EmbeddingTables() = default;

Choice<EmbeddingKind> EmbeddingTables::kind() const noexcept { return impl_->model.score->kind(); }
int EmbeddingTables::dim() const noexcept { return impl_->model.entities.dim(); }
std::uint32_t EmbeddingTables::num_entities() const noexcept {
  return static_cast<std::uint32_t>(impl_->model.entities.rows());
}
std::uint32_t EmbeddingTables::num_relations() const noexcept {
  return static_cast<std::uint32_t>(impl_->model.relations.rows());
}
const Json& EmbeddingTables::meta() const noexcept { return impl_->meta; }

std::span<const float> EmbeddingTables::entity(EntityId entity) const {
  check_id(entity, impl_->model.entities.rows(), "entity");
  return impl_->model.entities.values(entity);
}

std::span<const float> EmbeddingTables::relation(RelationId relation) const {
  check_id(relation, impl_->model.relations.rows(), "relation");
  return impl_->model.relations.values(relation);
}

float EmbeddingTables::distance(const Triple& triple) const {
  check_id(triple.head, impl_->model.entities.rows(), "entity");
  check_id(triple.relation, impl_->model.relations.rows(), "relation");
  check_id(triple.tail, impl_->model.entities.rows(), "entity");
  return impl_->model.distance(triple);
}

std::vector<NearEntity> EmbeddingTables::nearest_tails(EntityId head, RelationId relation,
                                                       std::size_t count) const {
  return impl_->ask(head, relation, Side::kTail, count);
}

std::vector<NearEntity> EmbeddingTables::nearest_heads(RelationId relation, EntityId tail,
                                                       std::size_t count) const {
  return impl_->ask(tail, relation, Side::kHead, count);
}

// Products grow with the length of a vector, so that likeness is told by the distance of vectors there too.
std::vector<NearEntity> EmbeddingTables::nearest_entities(EntityId entity, std::size_t count) const {
  check_id(entity, impl_->model.entities.rows(), "entity");
  const Measure measure = impl_->model.measure == Measure::kProduct ? Measure::kL2 : impl_->model.measure;
  return impl_->nearest(measure, impl_->model.entities.row(entity), count, entity);
}

}  // namespace kgwalk::embeddings
