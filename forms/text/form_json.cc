// Forms as json.
#include "forms/form_check.h"
#include "forms/text/names.h"
#include "forms/text/value_json.h"
#include "kgwalk/form_text.h"

namespace kgwalk::forms {
namespace {

class Writer {
 public:
  explicit Writer(const graph::KnowledgeGraph& graph) : graph_(graph) {}

  [[nodiscard]] Json query(const Query& query) const {
    Json json = Json::object();
    const std::string key = choice_name(query.kind);
    switch (query.kind) {
      case QueryKind::kFind:
      case QueryKind::kCount:
        json[key] = set(query.set);
        break;
      case QueryKind::kSum:
      case QueryKind::kAverage:
        json[key] = relations(query.measure.relations);
        json["of"] = set(query.set);
        break;
      case QueryKind::kWhich:
      case QueryKind::kWhether:
      case QueryKind::kDifference:
        json[key] = sets(query.compared);
        if (query.kind == QueryKind::kWhether) json["test"] = choice_name(query.test);
        measure(json, query.measure);
        if (query.kind == QueryKind::kWhich && !query.greatest) json["least"] = true;
        break;
      case QueryKind::kCheck:
        json[key] = set(query.set);
        if (!query.members.empty()) json["members"] = set(query.members.front());
        if (query.condition) condition(json, *query.condition);
        break;
      case QueryKind::kRelations:
        json[key] = Json::array({set(query.set), set(query.members.front())});
        break;
    }
    return json;
  }

 private:
  [[nodiscard]] Json names(const std::vector<EntityId>& ids) const {
    if (ids.size() == 1) return written_name(ids.front(), graph_);
    Json list = Json::array();
    for (const EntityId id : ids) list.push_back(written_name(id, graph_));
    return list;
  }

  [[nodiscard]] Json relations(const Relations& ids) const {
    if (ids.size() == 1) return written_name_of_relation(ids.front(), graph_);
    Json list = Json::array();
    for (const RelationId id : ids) list.push_back(written_name_of_relation(id, graph_));
    return list;
  }

  [[nodiscard]] Json sets(const std::vector<Set>& parts) const {
    Json list = Json::array();
    for (const Set& part : parts) list.push_back(set(part));
    return list;
  }

  static void condition(Json& json, const Condition& condition) {
    if (condition.upper) {
      json["between"] = Json::array({value_to_json(condition.value), value_to_json(*condition.upper)});
      return;
    }
    json["test"] = choice_name(condition.test);
    json["value"] = value_to_json(condition.value);
  }

  void measure(Json& json, const Measure& measure) const {
    json[measure.kind == MeasureKind::kCount ? "by_count" : "by"] = relations(measure.relations);
    if (!measure.among.empty()) json["among"] = set(measure.among.front());
  }

  [[nodiscard]] Json qualified(const Qualified& given) const {
    Json json = {{"qualifier", relations(given.relations)}};
    if (given.entities.empty())
      condition(json, given.condition);
    else
      json["is"] = names(given.entities);
    return json;
  }

  [[nodiscard]] Json set(const Set& set) const {
    const std::string key = choice_name(set.kind);
    Json json = Json::object();
    switch (set.kind) {
      case SetKind::kEntities:
        return names(set.entities);
      case SetKind::kBefore:
        json[key] = set.before;
        break;
      case SetKind::kStep:
        json[key] = relations(set.relations);
        json["from"] = this->set(set.parts.front());
        for (const Qualified& each : set.qualified) json["with"].push_back(qualified(each));
        break;
      case SetKind::kOfType:
        json[key] = names(set.entities);
        break;
      case SetKind::kHaving:
        json[key] = relations(set.relations);
        break;
      case SetKind::kAnd:
      case SetKind::kOr:
      case SetKind::kBut:
        json[key] = sets(set.parts);
        break;
      case SetKind::kWhere:
      case SetKind::kWhereCount:
        json[key] = relations(set.kind == SetKind::kWhere ? set.relations : set.measure.relations);
        if (!set.measure.among.empty()) json["among"] = this->set(set.measure.among.front());
        condition(json, set.condition);
        json["of"] = this->set(set.parts.front());
        break;
      case SetKind::kFirst:
      case SetKind::kLast:
        json[key] = this->set(set.parts.front());
        measure(json, set.measure);
        if (set.n != 1) json["n"] = set.n;
        break;
    }
    return json;
  }

  const graph::KnowledgeGraph& graph_;
};

}  // namespace

Json to_json(const Query& query, const graph::TypedValues& values) {
  check_form(query, values.graph(), static_cast<std::size_t>(-1));
  return Writer(values.graph()).query(query);
}

Json to_json(const Answer& answer, const graph::TypedValues& values) {
  const graph::KnowledgeGraph& graph = values.graph();
  Json json = {{"complete", answer.complete()}, {"total", answer.total}};
  if (!answer.complete()) json["cut"] = choice_name(answer.cut);
  json["entities"] = Json::array();
  for (const EntityId entity : answer.entities) json["entities"].push_back(written_name(entity, graph));
  if (answer.order != Order::kById) json["order"] = choice_name(answer.order);
  for (const Measured& each : answer.measured)
    json["measured"].push_back({{"entity", written_name(each.entity, graph)},
                                {"value", value_to_json(each.value)},
                                {"shown", graph::shown(each.value)}});
  for (const RelationId relation : answer.relations)
    json["relations"].push_back(written_name_of_relation(relation, graph));
  if (answer.number) json["number"] = value_to_json(*answer.number);
  if (answer.truth) json["truth"] = *answer.truth;
  if (answer.ties) json["ties"] = true;
  if (answer.no_common_value) json["no_common_value"] = true;
  return json;
}

}  // namespace kgwalk::forms
