#include "kgwalk/querier.h"

#include <algorithm>
#include <utility>

#include "dialogue/telling/tell.h"
#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "kgwalk/typed_values.h"

namespace kgwalk {
namespace {

Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw ConfigError(std::string("the form is no json: ") + error.what());
  }
}

}  // namespace

struct Querier::Impl {
  explicit Impl(const graph::KnowledgeGraph& graph) : values(graph), engine(values) {}
  graph::TypedValues values;
  forms::Engine engine;
};

Querier::Querier(const graph::KnowledgeGraph& graph) : impl_(std::make_unique<Impl>(graph)) {}
Querier::Querier(Querier&&) noexcept = default;
Querier& Querier::operator=(Querier&&) noexcept = default;
Querier::~Querier() = default;

AnsweredForm Querier::answer(const FormRequest& request) const {
  if (request.form.empty() == request.sparql.empty())
    throw ConfigError("a form is asked for as json or as SPARQL: one of both is to be given");
  if (request.rows < 1) throw ConfigError("rows must be at least 1");
  if (!(request.seconds > 0)) throw ConfigError("seconds must be above 0");
  const graph::TypedValues& values = impl_->values;
  forms::Query query = request.form.empty() ? forms::query_of_sparql(request.sparql, values)
                                            : forms::query_of_json(parsed(request.form), values);
  forms::Answer answer =
      impl_->engine.answer(query, {}, {.max_rows = request.rows, .budget_s = request.seconds});
  std::string said = dialogue::tell(query, answer, impl_->engine).sentence;
  AnsweredForm answered = answered_form(std::move(query), std::move(answer), impl_->engine);
  answered.said = std::move(said);
  return answered;
}

Json Querier::to_json(const AnsweredForm& answered) const { return kgwalk::to_json(answered, impl_->values); }

namespace {

constexpr std::size_t kMostShown = 10;  // entities whose facts are told

// Those by which one sees that it is so.
std::vector<graph::EntityId> seen_by(const forms::Query& query, const forms::Answer& answer,
                                     const forms::Engine& engine) {
  std::vector<graph::EntityId> out;
  if (!query.compared.empty()) {
    for (const forms::Measured& each : answer.measured) out.push_back(each.entity);
  } else if (query.kind == forms::QueryKind::kCheck && answer.truth == true) {
    const forms::Set& shown = query.members.empty() ? query.set : query.members.front();
    out = engine.members(shown).value_or(out);
  } else if (!answer.entities.empty()) {
    out.push_back(answer.entities.front());
  }
  if (out.size() > kMostShown) out.resize(kMostShown);
  return out;
}

std::vector<graph::Triple> evidence_of(const forms::Query& query, const forms::Answer& answer,
                                       const forms::Engine& engine) {
  std::vector<graph::Triple> out;
  for (const graph::EntityId entity : seen_by(query, answer, engine))
    for (const graph::Triple& fact : engine.evidence(query, entity))
      if (std::find(out.begin(), out.end(), fact) == out.end()) out.push_back(fact);
  return out;
}

}  // namespace

AnsweredForm answered_form(forms::Query query, forms::Answer answer, const forms::Engine& engine) {
  AnsweredForm answered{.query = std::move(query), .answer = std::move(answer)};
  answered.words = forms::in_words(answered.query, engine.values(), answered.answer);
  try {
    answered.sparql = forms::to_sparql(answered.query, engine.values());
  } catch (const ConfigError& error) {
    answered.no_sparql = error.what();
  }
  answered.evidence = evidence_of(answered.query, answered.answer, engine);
  return answered;
}

Json to_json(const AnsweredForm& answered, const graph::TypedValues& values) {
  const graph::KnowledgeGraph& graph = values.graph();
  Json rows = Json::array(), evidence = Json::array();
  for (const graph::EntityId entity : answered.answer.entities) {
    Json row = {{"name", values.shown(entity)}};
    const auto& all = answered.answer.measured;
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.entity == entity; });
    if (own != all.end())
      row["value"] = own->value_id ? values.shown(*own->value_id) : graph::shown(own->value);
    rows.push_back(std::move(row));
  }
  for (const graph::Triple& fact : answered.evidence)
    evidence.push_back({{"head", graph.entity_name(fact.head)},
                        {"relation", graph.relation_name(fact.relation)},
                        {"tail", graph.entity_name(fact.tail)}});
  Json json = {{"said", answered.said},
               {"words", answered.words},
               {"form", forms::to_json(answered.query, values)},
               {"sparql", answered.sparql ? Json(*answered.sparql) : Json(nullptr)},
               {"answer", forms::to_json(answered.answer, values)},
               {"rows", std::move(rows)},
               {"evidence", std::move(evidence)}};
  if (!answered.sparql) json["no_sparql"] = answered.no_sparql;
  return json;
}

}  // namespace kgwalk
