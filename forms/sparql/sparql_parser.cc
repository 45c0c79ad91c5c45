// Recursive descent over the grammar of SPARQL 1.1, as far as forms go.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "forms/sparql/sparql_query.h"
#include "forms/sparql/tokens.h"
#include "graph/ingest/iri_names.h"

namespace kgwalk::forms {
namespace {

constexpr const char* kXsd = "http://www.w3.org/2001/XMLSchema#";
constexpr const char* kTypeIri = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
constexpr int kMaxDepth = 200;

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

  SparqlSelect query() {
    prologue();
    SparqlSelect query = select();
    if (in_.token().kind != SparqlToken::kEnd)
      in_.refuse("'" + in_.token().text + "' stands behind the query");
    return query;
  }

 private:
  void prologue() {
    while (in_.take_word("PREFIX")) {
      std::string prefix = in_.token().text;
      if (in_.token().kind != SparqlToken::kPrefixed || prefix.back() != ':')
        in_.refuse("expected a prefix and a colon");
      prefix.pop_back();
      in_.next();
      if (in_.token().kind != SparqlToken::kIri) in_.refuse("expected an IRI in <>");
      prefixes_[prefix] = in_.token().text;
      in_.next();
    }
    if (in_.is_word("BASE")) in_.refuse("BASE is not taken; write IRIs in full");
  }

  SparqlSelect select() {
    if (++depth_ > kMaxDepth) in_.refuse("the query is nested too deep");
    SparqlSelect select;
    select.ask = in_.take_word("ASK");
    if (!select.ask) {
      if (!in_.take_word("SELECT")) in_.refuse("only SELECT and ASK are taken");
      if (!in_.take_word("DISTINCT") && in_.is_word("REDUCED")) in_.refuse("REDUCED is not taken");
      columns(select);
    }
    if (in_.is_word("FROM")) in_.refuse("FROM is not taken: there is one graph");
    in_.take_word("WHERE");
    select.where = group();
    modifiers(select);
    --depth_;
    return select;
  }

  void columns(SparqlSelect& select) {
    if (in_.is("*")) in_.refuse("SELECT * is not taken; name the variable that is asked for");
    for (;;) {
      if (in_.token().kind == SparqlToken::kVariable) {
        const std::string name = in_.token().text;
        in_.next();
        select.columns.push_back({{.op = {}, .term = {SparqlTerm::kVariable, name}}, name});
      } else if (in_.take("(")) {
        SparqlExpression value = expression();
        std::string name;
        if (in_.take_word("AS")) name = variable();
        in_.expect(")");
        select.columns.push_back({std::move(value), name});
      } else if (in_.is_word("COUNT") || in_.is_word("SUM") || in_.is_word("AVG")) {
        select.columns.push_back({expression(), ""});  // without brackets, as many write it
      } else {
        break;
      }
    }
    if (select.columns.empty()) in_.refuse("nothing is selected");
  }

  void modifiers(SparqlSelect& select) {
    if (in_.take_word("GROUP")) {
      by();
      while (in_.token().kind == SparqlToken::kVariable) select.group_by.push_back(variable());
    }
    if (in_.take_word("HAVING")) select.having = bracketed();
    if (in_.take_word("ORDER")) {
      by();
      select.descending = in_.take_word("DESC");
      if (!select.descending) in_.take_word("ASC");
      select.order = expression();
      if (in_.token().kind == SparqlToken::kVariable || in_.is("(") || in_.is_word("DESC"))
        in_.refuse("one order is taken, not several");
    }
    while (in_.is_word("LIMIT") || in_.is_word("OFFSET")) {
      const bool limit = in_.take_word("LIMIT");
      if (!limit) in_.next();
      const std::uint64_t count = whole();
      if (!limit && count != 0) in_.refuse("OFFSET is not taken");
      if (limit) select.limit = count;
    }
    if (in_.is_word("VALUES")) in_.refuse("VALUES is taken within the braces, not behind them");
  }

  void by() {
    if (!in_.take_word("BY")) in_.refuse("expected BY");
  }

  std::uint64_t whole() {
    std::uint64_t number = 0;
    const std::string& text = in_.token().text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (in_.token().kind != SparqlToken::kNumber || error != std::errc() || end != text.data() + text.size())
      in_.refuse("expected a whole number");
    in_.next();
    return number;
  }

  std::string variable() {
    if (in_.token().kind != SparqlToken::kVariable) in_.refuse("expected a variable");
    std::string name = in_.token().text;
    in_.next();
    return name;
  }

  SparqlGroup group() {
    if (++depth_ > kMaxDepth) in_.refuse("the query is nested too deep");
    SparqlGroup group;
    in_.expect("{");
    if (in_.is_word("SELECT")) {
      group.elements.push_back(
          {.kind = SparqlElement::kSelect, .select = std::make_shared<SparqlSelect>(select())});
      in_.expect("}");
      --depth_;
      return group;
    }
    while (!in_.take("}")) {
      if (in_.token().kind == SparqlToken::kEnd) in_.refuse("expected '}' before the end");
      if (!in_.take(".")) element(group);
    }
    --depth_;
    return group;
  }

  void element(SparqlGroup& group) {
    for (const char* word : {"GRAPH", "SERVICE"})
      if (in_.is_word(word)) in_.refuse(std::string(word) + " is not taken: there is one graph");
    if (in_.take_word("FILTER")) {
      const bool plain = in_.is("(");
      group.elements.push_back({.kind = SparqlElement::kFilter, .expression = plain ? bracketed() : unary()});
    } else if (in_.take_word("MINUS")) {
      group.elements.push_back({.kind = SparqlElement::kMinus, .groups = {this->group()}});
    } else if (in_.take_word("OPTIONAL")) {
      group.elements.push_back({.kind = SparqlElement::kOptional, .groups = {this->group()}});
    } else if (in_.take_word("BIND")) {
      in_.expect("(");
      SparqlExpression value = expression();
      if (!in_.take_word("AS")) in_.refuse("expected AS");
      group.elements.push_back(
          {.kind = SparqlElement::kBind, .expression = std::move(value), .variables = {variable()}});
      in_.expect(")");
    } else if (in_.take_word("VALUES")) {
      values(group);
    } else if (in_.is("{")) {
      nested(group);
    } else {
      triples(group);
    }
  }

  void nested(SparqlGroup& group) {
    std::vector<SparqlGroup> parts = {this->group()};
    while (in_.take_word("UNION")) parts.push_back(this->group());
    if (parts.size() > 1) {
      group.elements.push_back({.kind = SparqlElement::kUnion, .groups = std::move(parts)});
      return;
    }
    for (SparqlElement& each : parts.front().elements) group.elements.push_back(std::move(each));
  }

  void values(SparqlGroup& group) {
    SparqlElement table{.kind = SparqlElement::kValues};
    const bool several = in_.take("(");
    if (several)
      while (!in_.take(")")) table.variables.push_back(variable());
    else
      table.variables.push_back(variable());
    in_.expect("{");
    while (!in_.take("}")) {
      std::vector<SparqlTerm> row;
      if (several) in_.expect("(");
      while (!in_.is(")") && (several || row.empty())) row.push_back(term());
      if (several) in_.expect(")");
      if (row.size() != table.variables.size())
        in_.refuse("a row of VALUES has another length than its head");
      table.rows.push_back(std::move(row));
    }
    group.elements.push_back(std::move(table));
  }

  void triples(SparqlGroup& group) {
    const SparqlTerm subject = term();
    do {
      if (in_.is(".") || in_.is("}")) break;  // behind a semicolon
      const bool is_variable = in_.token().kind == SparqlToken::kVariable;
      SparqlPath relation = is_variable ? SparqlPath{.iri = "?" + variable()} : path();
      do {
        group.elements.push_back(
            {.kind = SparqlElement::kTriple, .subject = subject, .object = term(), .path = relation});
      } while (in_.take(","));
    } while (in_.take(";"));
  }

  SparqlPath path() {
    SparqlPath either{.kind = SparqlPath::kEither, .parts = {sequence()}};
    while (in_.take("|")) either.parts.push_back(sequence());
    return either.parts.size() == 1 ? either.parts.front() : either;
  }

  SparqlPath sequence() {
    SparqlPath all{.kind = SparqlPath::kSequence, .parts = {step()}};
    while (in_.take("/")) all.parts.push_back(step());
    return all.parts.size() == 1 ? all.parts.front() : all;
  }

  SparqlPath step() {
    if (in_.take("^")) return {.kind = SparqlPath::kInverse, .parts = {step()}};
    if (in_.is("!")) in_.refuse("negated paths are not taken");
    SparqlPath step;
    if (in_.take("(")) {
      step = path();
      in_.expect(")");
    } else if (in_.take_word("a")) {
      step.iri = kTypeIri;
    } else {
      const SparqlTerm name = term();
      if (name.kind != SparqlTerm::kIri) in_.refuse("a relation is an IRI");
      step.iri = name.text;
    }
    if (in_.is("+") || in_.is("?")) in_.refuse("paths with + or ? are not taken");
    if (in_.take("*")) return {.kind = SparqlPath::kAnyTimes, .parts = {step}};
    return step;
  }

  std::string prefixed() {
    const std::string text = in_.token().text;
    const std::size_t colon = text.find(':');
    const auto known = prefixes_.find(text.substr(0, colon));
    if (known == prefixes_.end()) in_.refuse("the prefix '" + text.substr(0, colon) + ":' is not declared");
    in_.next();
    return known->second + text.substr(colon + 1);
  }

  SparqlTerm term() {
    const SparqlToken token = in_.token();
    if (token.kind == SparqlToken::kPrefixed) return {SparqlTerm::kIri, prefixed()};
    if (in_.is("[") || in_.is("(")) in_.refuse("blank nodes and lists are not taken; use a variable");
    in_.next();
    switch (token.kind) {
      case SparqlToken::kVariable:
        return {SparqlTerm::kVariable, token.text};
      case SparqlToken::kIri:
        return {SparqlTerm::kIri, token.text};
      case SparqlToken::kNumber: {
        const bool whole = token.text.find_first_of(".eE") == std::string::npos;
        const bool scaled = token.text.find_first_of("eE") != std::string::npos;
        return literal(token.text, {},
                       std::string(kXsd) + (whole    ? "integer"
                                            : scaled ? "double"
                                                     : "decimal"));
      }
      case SparqlToken::kText:
        return text(token.text);
      default:
        break;
    }
    if (token.text == "true" || token.text == "false")
      return literal(token.text, {}, std::string(kXsd) + "boolean");
    in_.refuse(token.text.empty() ? "expected a variable, an IRI or a literal"
                                  : "'" + token.text + "' is not taken here");
  }

  static SparqlTerm literal(const std::string& text, const std::string& language, const std::string& type) {
    return {SparqlTerm::kLiteral, graph::literal_text(text, language, type)};
  }

  SparqlTerm text(const std::string& text) {
    if (in_.token().kind == SparqlToken::kLanguage) {
      const std::string language = in_.token().text;
      in_.next();
      return literal(text, language, {});
    }
    if (!in_.take("^^")) return literal(text, {}, {});
    const SparqlTerm type = term();
    if (type.kind != SparqlTerm::kIri) in_.refuse("a datatype is an IRI");
    return literal(text, {}, type.text == std::string(kXsd) + "string" ? std::string() : type.text);
  }

  SparqlExpression bracketed() {
    in_.expect("(");
    SparqlExpression inner = expression();
    in_.expect(")");
    return inner;
  }

  // Operators by how tightly they bind, the loosest first.
  SparqlExpression expression(int level = 0) {
    static const std::vector<std::vector<std::string>> kLevels = {
        {"||"}, {"&&"}, {"=", "!=", "<", ">", "<=", ">="}, {"+", "-"}, {"*", "/"}};
    if (level == static_cast<int>(kLevels.size())) return unary();
    SparqlExpression left = expression(level + 1);
    for (;;) {
      const std::string op = in_.token().text;
      const auto& here = kLevels[static_cast<std::size_t>(level)];
      const bool known =
          in_.token().kind == SparqlToken::kMark && std::find(here.begin(), here.end(), op) != here.end();
      if (level == 2 && in_.take_word("IN")) {
        left = {.op = "IN", .arguments = {left}};
        in_.expect("(");
        do left.arguments.push_back(expression());
        while (in_.take(","));
        in_.expect(")");
        continue;
      }
      if (!known) return left;
      in_.next();
      left = {.op = op, .arguments = {left, expression(level + 1)}};
    }
  }

  SparqlExpression unary() {
    if (++depth_ > kMaxDepth) in_.refuse("the query is nested too deep");
    SparqlExpression result;
    if (in_.take("!"))
      result = {.op = "!", .arguments = {unary()}};
    else if (in_.is("("))
      result = bracketed();
    else if (in_.token().kind == SparqlToken::kWord)
      result = call();
    else
      result.term = term();
    const bool cast = result.op.empty() && result.term.kind == SparqlTerm::kIri && in_.is("(");
    if (cast) result = {.op = result.term.text, .arguments = {bracketed()}};
    --depth_;
    return result;
  }

  SparqlExpression call() {
    std::string name = in_.token().text;
    if (name == "true" || name == "false") return {.term = term()};
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    in_.next();
    if (name == "NOT") {
      if (!in_.take_word("EXISTS")) in_.refuse("NOT IN is not taken; use MINUS");
      return {.op = "NOT EXISTS", .group = std::make_shared<SparqlGroup>(group())};
    }
    if (name == "EXISTS") return {.op = name, .group = std::make_shared<SparqlGroup>(group())};
    SparqlExpression result{.op = name};
    in_.expect("(");
    if (in_.take_word("DISTINCT")) result.op += " DISTINCT";
    if (in_.is("*")) in_.refuse(name + "(*) is not taken; count a variable");
    if (!in_.is(")")) do
        result.arguments.push_back(expression());
      while (in_.take(","));
    in_.expect(")");
    return result;
  }

  SparqlTokens in_;
  std::map<std::string, std::string> prefixes_;
  int depth_ = 0;
};

}  // namespace

SparqlSelect parse_sparql(std::string_view text) { return Parser(text).query(); }

}  // namespace kgwalk::forms
