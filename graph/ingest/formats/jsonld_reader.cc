#include "graph/ingest/formats/jsonld_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/ingest/formats/json_elements.h"
#include "graph/ingest/formats/jsonld_expansion.h"
#include "graph/ingest/formats/jsonld_statements.h"
#include "graph/ingest/lines.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kNamedKeys = 8;  // of those that no context knows
constexpr std::size_t kNoPlace = std::string_view::npos;

// The members of an object of which not all can be in memory.
struct Outline {
  struct Member {
    std::string key;
    JsonElement value;
  };
  std::vector<Member> members;
  std::size_t end = 0;  // of the object; of the text, where its end was not found
};

class JsonLdReading {
 public:
  JsonLdReading(const InputText& text, std::string_view bytes, StatementSink& sink)
      : text_(text),
        bytes_(bytes),
        log_(text.log),
        sink_(sink),
        contexts_(text.log.file(), text.folder, text.base(), text.options.context),
        expansion_(contexts_),
        statements_(text, sink) {}

  void run() {
    give_prefixes(*contexts_.initial());
    JsonElements all(bytes_, log_, sink_);
    std::size_t begin = all.behind_space(0);
    const bool in_array = begin < bytes_.size() && bytes_[begin] == '[';  // which is one document
    if (begin < bytes_.size() && bytes_[begin] == '{')
      if (const auto behind = read_in_parts(all, begin)) {
        begin = *behind;
        statements_.begin_document();
      }
    JsonElements rest(bytes_, log_, sink_, begin);
    JsonNode node;
    for (JsonElement element; rest.next(element);) {
      if (!in_array) statements_.begin_document();
      if (rest.read(element, node)) take(contexts_.initial(), "", node, "", element.line);
    }
    tell();
  }

 private:
  // An element and what it says.
  void take(const JsonLdContextPtr& active, const std::string& property, const JsonNode& node,
            const std::string& graph, std::size_t line) {
    try {
      JsonNode expanded = expansion_.expand(active, property, node);
      // A document of nothing but a graph is that graph.
      while (property.empty() && expanded.is_object() && expanded.keys.size() == 1 &&
             expanded.keys[0] == "@graph")
        expanded = JsonNode(std::move(expanded.items[0]));
      statements_.nodes(expanded, graph, line);
    } catch (const JsonLdError& error) {
      log_.skip(line, Reason::kSyntax, error.what());
    }
  }

  // The first object of the text, if it has a graph: its members are found before any is read. Where it ends;
  // nullopt: it has none, or shows to be none.
  std::optional<std::size_t> read_in_parts(JsonElements& elements, std::size_t begin) {
    const auto outline = outline_of(elements, begin);
    if (!outline) return std::nullopt;
    const JsonLdContextPtr active = context_of(elements, *outline);
    const auto is_graph = [&](const Outline::Member& member) {
      return JsonLdContexts::expand_iri(*active, member.key, false, true) == "@graph";
    };
    const auto graph = std::find_if(outline->members.begin(), outline->members.end(), is_graph);
    if (graph == outline->members.end()) return std::nullopt;
    JsonNode rest = JsonNode::object();
    for (auto member = outline->members.begin(); member != outline->members.end(); ++member) {
      JsonNode value;
      if (member == graph) continue;
      if (is_graph(*member) || rest.has(member->key))
        log_.skip(member->value.line, Reason::kSyntax,
                  "the key '" + member->key.substr(0, 60) + "' stands twice in one object");
      else if (elements.read(member->value, value))
        rest.set(member->key, std::move(value));
    }
    const auto name = take_rest(std::move(rest), elements.line_at(begin));
    if (!name) {
      log_.skip(graph->value.line, Reason::kSyntax,
                "the name of the graph is neither an IRI nor a blank node");
      return outline->end;
    }
    JsonElements nodes(bytes_.substr(0, graph->value.end), log_, sink_, graph->value.begin);
    JsonNode node;
    for (JsonElement element; nodes.next(element);)
      if (nodes.read(element, node)) take(active, "@graph", node, *name, element.line);
    return outline->end;
  }

  // What a document says beside its graph; the graph's name, which may be empty. nullopt: it is none.
  std::optional<std::string> take_rest(JsonNode rest, std::size_t line) {
    if (rest.keys.empty() || (rest.keys.size() == 1 && rest.keys[0] == "@context")) return "";
    try {
      rest.set("@graph", JsonNode::array());
      const JsonNode expanded = expansion_.expand(contexts_.initial(), "", rest);
      if (!expanded.is_object() || expanded.keys.size() < 2) return "";
      const auto thing = statements_.node(expanded, "", line);
      return thing ? std::optional(JsonLdStatements::graph_name(*thing)) : std::nullopt;
    } catch (const JsonLdError& error) {
      throw DataError(log_.file(), line, error.what());
    }
  }

  // nullopt where keys and values do not follow each other as in an object.
  std::optional<Outline> outline_of(JsonElements& elements, std::size_t begin) const {
    Outline outline;
    JsonProblem problem;
    std::size_t at = elements.behind_space(begin + 1);
    while (at < bytes_.size() && bytes_[at] != '}') {
      if (bytes_[at] != '"') return std::nullopt;
      const std::size_t key_end = elements.end_of(at, bytes_.size(), problem);
      JsonNode key;
      if (key_end == kNoPlace || !parse_json(bytes_.substr(at, key_end - at), key, problem))
        return std::nullopt;
      at = elements.behind_space(key_end);
      if (at == bytes_.size() || bytes_[at] != ':') return std::nullopt;
      const std::size_t value = elements.behind_space(at + 1);
      if (value == bytes_.size()) return std::nullopt;
      const std::size_t end = elements.end_of(value, bytes_.size(), problem);
      const bool cut = end == kNoPlace;
      if (cut && bytes_[value] != '[') return std::nullopt;
      outline.members.push_back({key.text, {value, cut ? bytes_.size() : end, elements.line_at(value)}});
      if (cut) return outline.end = bytes_.size(), outline;  // reading its elements tells what is wrong
      at = elements.behind_space(end);
      if (at < bytes_.size() && bytes_[at] == ',') at = elements.behind_space(at + 1);
    }
    if (at == bytes_.size()) return std::nullopt;
    outline.end = at + 1;
    return outline;
  }

  JsonLdContextPtr context_of(JsonElements& elements, const Outline& outline) {
    for (const Outline::Member& member : outline.members) {
      if (member.key != "@context") continue;
      JsonNode local;
      if (!elements.read(member.value, local))
        throw DataError(log_.file(), member.value.line, "the context cannot be read");
      try {
        const JsonLdContextPtr active = contexts_.process(contexts_.initial(), local);
        give_prefixes(*active);
        return active;
      } catch (const JsonLdError& error) {
        throw DataError(log_.file(), member.value.line, error.what());
      }
    }
    return contexts_.initial();
  }

  void give_prefixes(const JsonLdContext& context) {
    for (const auto& [name, term] : context.terms)
      if (term->is_prefix && term->iri && (term->iri->ends_with('/') || term->iri->ends_with('#')))
        sink_.prefix(name, *term->iri);
  }

  void tell() const {
    const auto number = [](std::size_t count) { return with_commas(static_cast<long long>(count)); };
    std::vector<std::pair<std::size_t, std::string>> keys;
    std::size_t values = 0;
    for (const auto& [key, count] : expansion_.left_out()) {
      keys.emplace_back(count, key);
      values += count;
    }
    std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string list;
    for (std::size_t i = 0; i < std::min(keys.size(), kNamedKeys); ++i)
      list += (i == 0 ? "'" : ", '") + keys[i].second.substr(0, 60) + "'";
    if (keys.size() > kNamedKeys) list += " and " + number(keys.size() - kNamedKeys) + " more";
    if (values > 0) log_.note(number(values) + " values are left out: no context knows the keys " + list);
    if (statements_.num_relative() > 0)
      log_.note(number(statements_.num_relative()) +
                " statements are left out: a term is neither an IRI nor a blank node");
  }

  const InputText& text_;
  std::string_view bytes_;
  ProblemLog& log_;
  StatementSink& sink_;
  JsonLdContexts contexts_;
  JsonLdExpansion expansion_;
  JsonLdStatements statements_;
};

}  // namespace

void read_jsonld(const InputText& text, StatementSink& sink) {
  JsonLdReading(text, without_byte_order_mark(text.bytes, text.log), sink).run();
  text.counts.lines = lines_of(text.bytes);
}

}  // namespace kgwalk::graph
