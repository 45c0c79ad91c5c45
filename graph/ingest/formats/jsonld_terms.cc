// Definitions of terms within a context of JSON-LD (section 4.2 of its API).
#include <algorithm>

#include "graph/ingest/formats/iri_reference.h"
#include "graph/ingest/formats/jsonld_context.h"

namespace kgwalk::graph {
namespace {

std::string term_shown(std::string_view text) { return "'" + std::string(text.substr(0, 80)) + "'"; }

bool is_iri_or_blank(std::string_view text) { return has_scheme(text) || text.starts_with("_:"); }

bool equal_nodes(const JsonNode& a, const JsonNode& b) {
  return a.kind == b.kind && a.text == b.text && a.keys == b.keys &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), equal_nodes);
}

std::uint8_t container_named(std::string_view name) {
  constexpr std::pair<std::string_view, JsonLdContainer> kNames[] = {
      {"@list", kListContainer},         {"@set", kSetContainer},     {"@index", kIndexContainer},
      {"@language", kLanguageContainer}, {"@graph", kGraphContainer}, {"@id", kIdContainer},
      {"@type", kTypeContainer}};
  for (const auto& [word, container] : kNames)
    if (word == name) return container;
  throw JsonLdError("@container " + term_shown(name) + " is none that there is");
}

// Of one definition to the next: terms may be written by others, which are defined before them.
class TermMaker {
 public:
  TermMaker(JsonLdContext& result, const JsonNode& local, const JsonLdContexts::How& how,
            const std::filesystem::path& folder)
      : result_(result), local_(local), how_(how), folder_(folder) {
    const JsonNode* all = local.find("@protected");
    if (all != nullptr && !all->is_boolean()) throw JsonLdError("@protected is neither true nor false");
    all_protected_ = all != nullptr && all->kind == JsonNode::Kind::kTrue;
  }

  void run() {
    constexpr std::string_view kOfTheContext[] = {"@base",      "@direction", "@import",  "@language",
                                                  "@propagate", "@protected", "@version", "@vocab"};
    for (std::size_t i = 0; i < local_.keys.size(); ++i)
      if (std::find(std::begin(kOfTheContext), std::end(kOfTheContext), local_.keys[i]) ==
          std::end(kOfTheContext))
        define(local_.keys[i], local_.items[i]);
  }

 private:
  void define_first(std::string_view name) {
    if (is_jsonld_keyword(name)) return;
    if (const JsonNode* value = local_.find(name)) define(std::string(name), *value);
  }

  void define(const std::string& name, const JsonNode& written) {
    const auto [state, is_new] = defined_.try_emplace(name, false);
    if (!is_new) {
      if (!state->second) throw JsonLdError("the term " + term_shown(name) + " is defined by itself");
      return;
    }
    if (name.empty()) throw JsonLdError("a term of the context is empty");
    if (is_jsonld_keyword(name) ? !may_be_redefined(name, written) : looks_like_keyword(name)) {
      if (is_jsonld_keyword(name)) throw JsonLdError("the keyword " + name + " cannot be defined anew");
      return;
    }
    std::shared_ptr<const JsonLdTerm> before;
    if (const auto known = result_.terms.find(name); known != result_.terms.end()) {
      before = known->second;
      result_.terms.erase(known);
    }
    if (auto term = made(name, written)) {
      if (!how_.overrides_protected && before && before->is_protected) {
        if (!term->means_the_same(*before))
          throw JsonLdError("the term " + term_shown(name) + " is protected, and defined anew");
        term->is_protected = true;
      }
      result_.terms[name] = std::move(term);
    }
    defined_[name] = true;
  }

  static bool may_be_redefined(std::string_view name, const JsonNode& written) {
    if (name != "@type" || !written.is_object() || written.keys.empty()) return false;
    const JsonNode* container = written.find("@container");
    const bool only = std::all_of(written.keys.begin(), written.keys.end(), [](const std::string& key) {
      return key == "@container" || key == "@protected";
    });
    return only &&
           (container == nullptr || container->is_string("@set") ||
            (container->is_array() && container->items.size() == 1 && container->items[0].is_string("@set")));
  }

  // nullptr: the term is ignored.
  std::shared_ptr<JsonLdTerm> made(const std::string& name, const JsonNode& written) {
    JsonNode object = JsonNode::object();
    const bool simple = written.is_string();
    if (written.is_null() || simple)
      object.set("@id", written);
    else if (!written.is_object())
      throw JsonLdError("the term " + term_shown(name) + " is defined by neither a text nor an object");
    const JsonNode& value = written.is_object() ? written : object;
    check_keys(name, value);
    auto term = std::make_shared<JsonLdTerm>();
    term->is_protected = flag(value, "@protected", all_protected_);
    take_type(name, value, *term);
    if (value.has("@reverse")) return take_reverse(name, value, *term) ? term : nullptr;
    if (!take_iri(name, value, simple, *term)) return nullptr;
    take_containers(name, value, *term);
    take_rest(name, value, *term);
    return term;
  }

  static void check_keys(const std::string& name, const JsonNode& value) {
    constexpr std::string_view kKeys[] = {"@id",        "@reverse",   "@container", "@context",
                                          "@direction", "@index",     "@language",  "@nest",
                                          "@prefix",    "@protected", "@type"};
    for (const std::string& key : value.keys)
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys))
        throw JsonLdError("the definition of the term " + term_shown(name) + " has the unknown key " +
                          term_shown(key));
  }

  static bool flag(const JsonNode& value, std::string_view key, bool otherwise) {
    const JsonNode* found = value.find(key);
    if (found == nullptr) return otherwise;
    if (!found->is_boolean()) throw JsonLdError(std::string(key) + " is neither true nor false");
    return found->kind == JsonNode::Kind::kTrue;
  }

  std::optional<std::string> expanded(std::string_view text) {
    define_first(text);
    if (const std::size_t colon = text.find(':', text.empty() ? 0 : 1); colon != std::string_view::npos)
      if (text.substr(0, colon) != "_" && !text.substr(colon + 1).starts_with("//"))
        define_first(text.substr(0, colon));
    return JsonLdContexts::expand_iri(result_, text, false, true);
  }

  void take_type(const std::string& name, const JsonNode& value, JsonLdTerm& term) {
    const JsonNode* type = value.find("@type");
    if (type == nullptr) return;
    const auto iri = type->is_string() ? expanded(type->text) : std::nullopt;
    const bool good =
        iri && (*iri == "@id" || *iri == "@vocab" || *iri == "@json" || *iri == "@none" || has_scheme(*iri));
    if (!good) throw JsonLdError("the @type of the term " + term_shown(name) + " is no IRI");
    term.type = *iri;
  }

  bool take_reverse(const std::string& name, const JsonNode& value, JsonLdTerm& term) {
    const JsonNode& reverse = *value.find("@reverse");
    if (value.has("@id") || value.has("@nest"))
      throw JsonLdError("the term " + term_shown(name) + " is a reverse one, and has @id or @nest");
    if (!reverse.is_string())
      throw JsonLdError("the @reverse of the term " + term_shown(name) + " is no text");
    if (looks_like_keyword(reverse.text)) return false;
    term.iri = expanded(reverse.text);
    if (!term.iri || !is_iri_or_blank(*term.iri))
      throw JsonLdError("the @reverse of the term " + term_shown(name) + " is no IRI");
    if (const JsonNode* container = value.find("@container"); container != nullptr && !container->is_null()) {
      if (!container->is_string("@set") && !container->is_string("@index"))
        throw JsonLdError("the reverse term " + term_shown(name) + " has a @container that it may not have");
      term.containers = container_named(container->text);
    }
    term.is_reverse = true;
    return true;
  }

  // False: the term is ignored.
  bool take_iri(const std::string& name, const JsonNode& value, bool simple, JsonLdTerm& term) {
    const JsonNode* id = value.find("@id");
    const std::size_t colon = name.find(':', 1);
    if (id != nullptr && !id->is_string(name)) return take_id(name, *id, simple, term);
    if (colon != std::string::npos) {
      const std::string_view prefix = std::string_view(name).substr(0, colon);
      define_first(prefix);
      const JsonLdTerm* known = result_.term(prefix);  // any term may stand there
      term.iri = known != nullptr && known->iri ? *known->iri + name.substr(colon + 1) : name;
    } else if (name.find('/') != std::string::npos) {
      term.iri = JsonLdContexts::expand_iri(result_, name, true, false);
      if (!term.iri || !has_scheme(*term.iri))
        throw JsonLdError("the term " + term_shown(name) + " is no IRI");
    } else if (name == "@type") {
      term.iri = "@type";
    } else if (result_.vocab) {
      term.iri = *result_.vocab + name;
    } else {
      throw JsonLdError("the term " + term_shown(name) + " has no IRI, and the context no @vocab");
    }
    return true;
  }

  bool take_id(const std::string& name, const JsonNode& id, bool simple, JsonLdTerm& term) {
    if (id.is_null()) return true;  // means nothing, and is told so
    if (!id.is_string()) throw JsonLdError("the @id of the term " + term_shown(name) + " is no text");
    if (!is_jsonld_keyword(id.text) && looks_like_keyword(id.text)) return false;
    term.iri = expanded(id.text);
    if (!term.iri || (!is_jsonld_keyword(*term.iri) && !is_iri_or_blank(*term.iri)))
      throw JsonLdError("the @id of the term " + term_shown(name) + " is no IRI");
    if (*term.iri == "@context") throw JsonLdError("no term may stand for @context");
    const bool has_slash = name.find('/') != std::string::npos;
    const std::size_t colon = name.find(':', 1);
    if ((colon != std::string::npos && colon + 1 < name.size()) || has_slash) {
      defined_[name] = true;
      if (expanded(name) != term.iri)
        throw JsonLdError("the term " + term_shown(name) + " is an IRI, and defined as another");
    }
    const char last = term.iri->empty() ? ' ' : term.iri->back();
    term.is_prefix =
        colon == std::string::npos && !has_slash && simple &&
        (std::string_view(":/?#[]@").find(last) != std::string_view::npos || term.iri->starts_with("_:"));
    return true;
  }

  static void take_containers(const std::string& name, const JsonNode& value, JsonLdTerm& term) {
    const JsonNode* container = value.find("@container");
    if (container == nullptr) return;
    for (const JsonNode* each : values_of(*container)) {
      if (!each->is_string())
        throw JsonLdError("a @container of the term " + term_shown(name) + " is no text");
      term.containers |= container_named(each->text);
    }
    if (term.has(kListContainer) && term.containers != kListContainer)
      throw JsonLdError("the term " + term_shown(name) + " has a @container beside @list");
    if (!term.has(kTypeContainer)) return;
    if (term.type.empty()) term.type = "@id";
    if (term.type != "@id" && term.type != "@vocab")
      throw JsonLdError("the term " + term_shown(name) +
                        " has the @container @type and another @type than @id");
  }

  void take_rest(const std::string& name, const JsonNode& value, JsonLdTerm& term) {
    if (const JsonNode* index = value.find("@index")) {
      const bool good = index->is_string() && !is_jsonld_keyword(index->text) && term.has(kIndexContainer);
      if (!good)
        throw JsonLdError("the @index of the term " + term_shown(name) +
                          " is no property, or stands without @container @index");
      term.index = index->text;
    }
    if (const JsonNode* context = value.find("@context")) {
      term.context = std::make_shared<const JsonNode>(*context);
      term.context_folder = folder_;
    }
    if (const JsonNode* language = value.find("@language"); language != nullptr && !value.has("@type")) {
      if (!language->is_null() && !language->is_string())
        throw JsonLdError("the @language of the term " + term_shown(name) + " is no text");
      term.language = language->text;
    }
    if (const JsonNode* nest = value.find("@nest"))
      if (!nest->is_string() || (is_jsonld_keyword(nest->text) && nest->text != "@nest"))
        throw JsonLdError("the @nest of the term " + term_shown(name) + " is none");
    if (!value.has("@prefix")) return;
    term.is_prefix = flag(value, "@prefix", false);
    if (name.find_first_of(":/") != std::string::npos ||
        (term.is_prefix && term.iri && is_jsonld_keyword(*term.iri)))
      throw JsonLdError("the term " + term_shown(name) + " cannot be a prefix");
  }

  JsonLdContext& result_;
  const JsonNode& local_;
  const JsonLdContexts::How& how_;
  const std::filesystem::path& folder_;
  bool all_protected_ = false;
  std::map<std::string, bool, std::less<>> defined_;  // false: is being so
};

}  // namespace

bool JsonLdTerm::means_the_same(const JsonLdTerm& other) const {
  const bool contexts =
      context && other.context ? equal_nodes(*context, *other.context) : context == other.context;
  return iri == other.iri && type == other.type && language == other.language && index == other.index &&
         containers == other.containers && is_prefix == other.is_prefix && is_reverse == other.is_reverse &&
         contexts;
}

void define_jsonld_terms(JsonLdContext& result, const JsonNode& local, const JsonLdContexts::How& how,
                         const std::filesystem::path& folder) {
  TermMaker(result, local, how, folder).run();
}

}  // namespace kgwalk::graph
