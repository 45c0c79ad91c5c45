// Forms as SPARQL 1.1.
#include <algorithm>

#include "forms/fitted.h"
#include "forms/form_check.h"
#include "forms/sparql/value_keys.h"
#include "graph/values/value_group.h"
#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {
namespace {

constexpr const char* kPrefixes =
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n";
constexpr std::string_view kSubclassIri = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

class Writer {
 public:
  Writer(const graph::TypedValues& values, Bindings before, const std::string& base)
      : values_(values), graph_(values.graph()), terms_(graph_, base), before_(before) {
    for (RelationId r = 0; r < graph_.num_relations(); ++r)
      has_subclasses_ = has_subclasses_ || graph::details(graph_).relation_id(r) == kSubclassIri;
  }

  std::string query(const Query& query) {
    switch (query.kind) {
      case QueryKind::kFind:
        return "SELECT DISTINCT ?x WHERE { " + pattern(query.set, "?x") + "}";
      case QueryKind::kCount:
        return "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { " + pattern(query.set, "?x") + "}";
      case QueryKind::kSum:
      case QueryKind::kAverage: {
        const char* of = query.kind == QueryKind::kSum ? "SUM" : "AVG";
        return std::string("SELECT (") + of + "(?k) AS ?n) WHERE { SELECT DISTINCT ?x ?v ?k WHERE { " +
               pattern(query.set, "?x") + added_up(query.measure.relations) + "} }";
      }
      case QueryKind::kWhich: {
        Set any{.kind = SetKind::kOr};
        any.parts = query.compared;
        const Set best = query.greatest ? last(any, query.measure) : first(any, query.measure);
        return "SELECT DISTINCT ?x WHERE { " + pattern(best, "?x") + "}";
      }
      case QueryKind::kWhether:
        return whether(query);
      case QueryKind::kDifference:
        return difference(query);
      case QueryKind::kCheck:
        return check(query);
      case QueryKind::kRelations:
        return "SELECT DISTINCT ?p ?backwards WHERE { " +
               in_turn(pattern(query.set, "?x"), [&] { return pattern(query.members.front(), "?y"); }) +
               "{ ?x ?p ?y BIND(false AS ?backwards) } UNION { ?y ?p ?x BIND(true AS ?backwards) } }";
    }
    return {};
  }

 private:
  [[nodiscard]] std::string fresh(const char* letter) {
    return "?" + std::string(letter) + std::to_string(++used_);
  }

  [[nodiscard]] std::string term(EntityId entity) const {
    std::string text = terms_.entity(entity);
    if (text.starts_with("_:"))
      throw ConfigError("SPARQL cannot name the blank node " + text + " that the form rests on");
    return text;
  }

  [[nodiscard]] bool backwards(RelationId relation) const {
    return graph_.relation_name(relation).starts_with('~');
  }

  // The operands of `+` are made in no order that is told: variables get their numbers here.
  template <class Make>
  [[nodiscard]] static std::string in_turn(std::string first, Make&& then) {
    return std::move(first) + then();
  }

  // The relations as a path, each read against its direction where `turned`.
  [[nodiscard]] std::string path(const Relations& relations, bool turned = false) const {
    std::string all;
    for (const RelationId relation : relations) {
      const bool back = backwards(relation);
      all += (all.empty() ? "" : "|") + std::string(back != turned ? "^" : "") +
             terms_.relation(back ? graph_.inverse(relation) : relation);
    }
    return relations.size() > 1 ? "(" + all + ")" : all;
  }

  // A single relation backwards is a plain pattern turned round; a literal never stands in front.
  [[nodiscard]] std::string triple(const std::string& from, const Relations& relations,
                                   const std::string& to) const {
    const bool turn = (relations.size() == 1 && backwards(relations.front()) && !to.starts_with('"')) ||
                      from.starts_with('"');
    if (turn) return to + " " + path(relations, true) + " " + from + " . ";
    return from + " " + path(relations) + " " + to + " . ";
  }

  [[nodiscard]] std::string table(const std::string& variable, const std::vector<EntityId>& ids) const {
    std::string text = "VALUES " + variable + " {";
    for (const EntityId id : ids) text += " " + term(id);
    return text + " } ";
  }

  // Patterns that `node`, a variable, is bound by to the members of the set.
  std::string pattern(const Set& set, const std::string& node) {
    switch (set.kind) {
      case SetKind::kEntities:
        return table(node, set.entities);
      case SetKind::kBefore:
        return table(node, before_[set.before]);
      case SetKind::kStep:
        return step(set, node);
      case SetKind::kOfType:
        return of_type(set, node);
      case SetKind::kHaving:
        return triple(node, set.relations, fresh("a"));
      case SetKind::kAnd: {
        std::string all;
        for (const Set& part : set.parts) all += pattern(part, node);
        return all;
      }
      case SetKind::kOr: {
        std::string all;
        for (const Set& part : set.parts)
          all += (all.empty() ? "{ " : "UNION { ") + pattern(part, node) + "} ";
        return "{ " + all + "} ";
      }
      case SetKind::kBut: {
        std::string all = "{ " + pattern(set.parts.front(), node);
        for (std::size_t i = 1; i < set.parts.size(); ++i)
          all += "MINUS { " + pattern(set.parts[i], node) + "} ";
        return all + "} ";
      }
      case SetKind::kWhere:
        return in_turn(pattern(set.parts.front(), node), [&] { return where(set, node); });
      case SetKind::kWhereCount:
        return counted(set, node, "HAVING(" + count_comparison(set.condition, "COUNT(DISTINCT ?c)") + ") ");
      case SetKind::kFirst:
      case SetKind::kLast:
        return ranked(set, node);
    }
    return {};
  }

  std::string step(const Set& set, const std::string& node) {
    const Set& from = set.parts.front();
    if (from.kind == SetKind::kEntities && from.entities.size() == 1)
      return edge(set, term(from.entities.front()), node);
    const std::string between = fresh("a");
    return in_turn(pattern(from, between), [&] { return edge(set, between, node); });
  }

  // The fact that a step takes; where its statement must say something, the node that kgwalk export writes
  // for it.
  std::string edge(const Set& step, const std::string& from, const std::string& to) {
    if (step.qualified.empty()) return triple(from, step.relations, to);
    std::string all;
    for (const RelationId relation : step.relations) {
      const bool back = backwards(relation);
      const std::string node = fresh("q");
      std::string one = node + " " + rdf("subject") + " " + (back ? to : from) + " . " + node + " " +
                        rdf("predicate") + " " + path({back ? graph_.inverse(relation) : relation}) + " . " +
                        node + " " + rdf("object") + " " + (back ? from : to) + " . ";
      for (const Qualified& each : step.qualified) {
        const std::string value = fresh("v");
        one += table(value, said_values(each));
        one += triple(node, each.relations, value);
      }
      if (step.relations.size() == 1) return one;
      all += (all.empty() ? "{ " : "UNION { ") + one + "} ";
    }
    return "{ " + all + "} ";
  }

  static std::string rdf(const char* name) {
    return std::string("<http://www.w3.org/1999/02/22-rdf-syntax-ns#") + name + ">";
  }

  // Those that the graph has and that are asked for: SPARQL compares times otherwise than we do.
  [[nodiscard]] std::vector<EntityId> said_values(const Qualified& asked) const {
    if (!asked.entities.empty()) return asked.entities;
    std::vector<EntityId> values;
    for (const graph::Qualifier& each : graph::details(graph_).all_qualifiers())
      if (std::find(asked.relations.begin(), asked.relations.end(), each.relation) != asked.relations.end())
        values.push_back(each.value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::erase_if(values, [&](EntityId value) { return !holds(asked, value, values_); });
    return values;
  }

  std::string of_type(const Set& set, const std::string& node) {
    const std::string path = terms_.relation(*graph::details(graph_).type_relation()) +
                             (has_subclasses_ ? "/<" + std::string(kSubclassIri) + ">*" : std::string());
    if (set.entities.size() == 1) return node + " " + path + " " + term(set.entities.front()) + " . ";
    const std::string type = fresh("a");
    return table(type, set.entities) + node + " " + path + " " + type + " . ";
  }

  std::string where(const Set& set, const std::string& node) {
    const FittedCondition condition = fitted(set.condition, set.relations, values_);
    const std::string value = fresh("v");
    const std::string edge = triple(node, set.relations, value), key = fresh("k");
    if (condition.group != 0)
      return edge + ValueKeys(set.relations, condition.group, values_, terms_).filter(value, key, condition);
    if (set.condition.upper ||
        (set.condition.test != Comparison::kEqual && set.condition.test != Comparison::kNotEqual))
      return edge + "FILTER(false) ";  // texts are in no order
    return edge + "FILTER((DATATYPE(" + value + ") = xsd:string || LANG(" + value + ") != \"\") && STR(" +
           value + ") " + choice_name(set.condition.test) + " " + quoted(set.condition.value.text) + ") ";
  }

  [[nodiscard]] static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      if (c == '\n')
        result += "\\n";
      else if (c == '\r')
        result += "\\r";
      else
        result += c;
    }
    return result + '"';
  }

  [[nodiscard]] static std::string count_comparison(const Condition& condition, const std::string& count) {
    const std::string value = sparql_number(condition.value.from);
    if (condition.upper)
      return count + " >= " + value + " && " + count + " <= " + sparql_number(condition.upper->from);
    return count + " " + choice_name(condition.test) + " " + value;
  }

  // `key` bound to the values of the relations that `node` has.
  std::string valued(const std::string& node, const Relations& relations, const std::string& value,
                     const std::string& key) {
    const std::uint8_t group = group_of(relations, values_);
    return triple(node, relations, value) + ValueKeys(relations, group, values_, terms_).bind(value, key);
  }

  // ?k bound to the numbers of ?x; of years, to the numbers of the years.
  std::string added_up(const Relations& relations) {
    const ValueKeys keys(relations, group_of(relations, values_), values_, terms_);
    const bool moments = keys.way() == KeyWay::kTime || keys.way() == KeyWay::kLabelTime;
    if (!graph::is_time(keys.kind()) || (!moments && keys.way() != KeyWay::kTable))
      return valued("?x", relations, "?v", "?k");
    if (!moments || !keys.one_kind() || keys.kind() != graph::ValueKind::kYear)
      throw ConfigError("SPARQL cannot add up dates");
    return valued("?x", relations, "?v", "?m") + "BIND(YEAR(?m) AS ?k) ";
  }

  // The members of a set with the number of what the measure counts, limited by `having` or bound to `count`.
  std::string counted(const Set& set, const std::string& node, const std::string& having,
                      const std::string& count = {}) {
    std::string inner = triple(node, set.measure.relations, "?c");
    if (!set.measure.among.empty()) inner += pattern(set.measure.among.front(), "?c");
    return "{ SELECT " + node + (count.empty() ? "" : " (COUNT(DISTINCT ?c) AS " + count + ")") +
           " WHERE { " + pattern(set.parts.front(), node) + "OPTIONAL { " + inner + "} } GROUP BY " + node +
           " " + having + "} ";
  }

  // Pairs of a member and its measure; by value as many as it has values.
  std::string keyed(const Set& set, const std::string& node, const std::string& key) {
    if (set.measure.kind == MeasureKind::kCount) return counted(set, node, "", key);
    return in_turn(pattern(set.parts.front(), node),
                   [&] { return valued(node, set.measure.relations, fresh("v"), key); });
  }

  // Those whose measure is no worse than the worst of the n best, which are found beside.
  std::string ranked(const Set& set, const std::string& node) {
    const bool greatest = set.kind == SetKind::kLast;
    const std::string best = greatest ? "MAX" : "MIN", worst = greatest ? "MIN" : "MAX";
    const std::string key = fresh("k"), limit = fresh("m"), measure = fresh("b");
    const std::string other = fresh("x"), other_key = fresh("k"), other_measure = fresh("b");
    const auto grouped = [&](const std::string& x, const std::string& k, const std::string& b) {
      return "SELECT " + x + " (" + best + "(" + k + ") AS " + b + ") WHERE { " + keyed(set, x, k) +
             "} GROUP BY " + x;
    };
    return "{ SELECT " + node + " WHERE { { " + grouped(node, key, measure) + " } { SELECT (" + worst + "(" +
           other_measure + ") AS " + limit + ") WHERE { " + grouped(other, other_key, other_measure) +
           " ORDER BY " + (greatest ? "DESC(" + other_measure + ")" : other_measure) + " LIMIT " +
           std::to_string(set.n) + " } } FILTER(" + measure + (greatest ? " >= " : " <= ") + limit + ") } } ";
  }

  // `result` bound to the best measure of a set that is compared.
  std::string best_of(const Set& of, const Measure& measure, bool greatest, const std::string& result) {
    const std::string key = fresh("k");
    const Set all = last(of, measure);
    return std::string("{ SELECT (") + (greatest ? "MAX(" : "MIN(") + key + ") AS " + result + ") WHERE { " +
           keyed(all, fresh("x"), key) + "} } ";
  }

  void needs_one_kind(const Measure& measure) const {
    if (measure.kind == MeasureKind::kCount) return;
    const ValueKeys keys(measure.relations, group_of(measure.relations, values_), values_, terms_);
    if (graph::is_time(keys.kind()) && !keys.one_kind())
      throw ConfigError("SPARQL cannot compare years, months and days with each other as this form does");
  }

  // ?a and ?b bound to the best measures of the two compared.
  std::string best_of_both(const Query& query, bool greatest) {
    std::string both = best_of(query.compared[0], query.measure, greatest, "?a");
    return both += best_of(query.compared[1], query.measure, greatest, "?b");
  }

  std::string whether(const Query& query) {
    needs_one_kind(query.measure);
    if (query.test != Comparison::kEqual && query.test != Comparison::kNotEqual) {
      const bool greatest = query.test == Comparison::kGreater || query.test == Comparison::kAtLeast;
      return "ASK { " + best_of_both(query, greatest) + "FILTER(?a " + choice_name(query.test) + " ?b) }";
    }
    std::string same;
    if (query.measure.kind == MeasureKind::kCount) {
      same = best_of_both(query, true);
    } else {
      same = keyed(last(query.compared[0], query.measure), fresh("x"), "?a");
      same += keyed(last(query.compared[1], query.measure), fresh("x"), "?b");
    }
    same += "FILTER(?a = ?b) ";
    return query.test == Comparison::kEqual ? "ASK { " + same + "}"
                                            : "ASK { FILTER NOT EXISTS { " + same + "} }";
  }

  std::string difference(const Query& query) {
    const ValueKeys keys(query.measure.relations, group_of(query.measure.relations, values_), values_,
                         terms_);
    const bool time = query.measure.kind == MeasureKind::kValue && graph::is_time(keys.kind());
    if (time && (keys.kind() != graph::ValueKind::kYear || !keys.one_kind() || keys.way() == KeyWay::kTable))
      throw ConfigError("SPARQL cannot subtract dates; it can compare them");
    const bool moments = time && (keys.way() == KeyWay::kTime || keys.way() == KeyWay::kLabelTime);
    return std::string("SELECT (") + (moments ? "(YEAR(?a) - YEAR(?b))" : "(?a - ?b)") + " AS ?n) WHERE { " +
           best_of_both(query, true) + "}";
  }

  std::string check(const Query& query) {
    if (query.condition)
      return "ASK { { SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { " + pattern(query.set, "?x") + "} } FILTER(" +
             count_comparison(*query.condition, "?n") + ") }";
    if (query.members.empty()) return "ASK { " + pattern(query.set, "?x") + "}";
    const Set& members = query.members.front();
    if (members.kind != SetKind::kEntities)
      return "ASK { " + pattern(members, "?x") + "FILTER NOT EXISTS { " + pattern(members, "?y") +
             "MINUS { " + pattern(query.set, "?y") + "} } }";
    std::string all;
    for (const EntityId member : members.entities) all += is_member(query.set, member);
    return "ASK { " + (all.empty() ? "FILTER(false) " : all) + "}";
  }

  // A step to a given entity is one fact.
  std::string is_member(const Set& set, EntityId member) {
    if (set.kind == SetKind::kStep && set.parts.front().kind == SetKind::kEntities &&
        set.parts.front().entities.size() == 1)
      return edge(set, term(set.parts.front().entities.front()), term(member));
    const std::string node = fresh("x");
    return table(node, {member}) + pattern(set, node);
  }

  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
  graph::RdfTerms terms_;
  Bindings before_;
  bool has_subclasses_ = false;
  int used_ = 0;
};

}  // namespace

std::string to_sparql(const Query& query, const graph::TypedValues& values, Bindings before,
                      const SparqlOptions& options) {
  check_form(query, values.graph(), before.size());
  const std::string body = Writer(values, before, options.base).query(query);
  const bool prefixed = body.find("xsd:") != std::string::npos || body.find("rdfs:") != std::string::npos;
  return (prefixed ? kPrefixes : "") + body;
}

}  // namespace kgwalk::forms
