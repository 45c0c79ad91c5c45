#include "graph/ingest/formats/jsonld_context.h"

#include <algorithm>
#include <iterator>

#include "graph/ingest/formats/iri_reference.h"
#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::graph {
namespace {

constexpr int kMaxFiles = 10;  // that name each other
constexpr std::size_t kMaxRemembered = 1000;

constexpr std::string_view kKeywords[] = {
    "@base",      "@container", "@context",  "@direction", "@graph", "@id",      "@import", "@included",
    "@index",     "@json",      "@language", "@list",      "@nest",  "@none",    "@prefix", "@propagate",
    "@protected", "@reverse",   "@set",      "@type",      "@value", "@version", "@vocab"};

bool is_address(std::string_view reference) {
  return has_scheme(reference) && !reference.starts_with("file:");
}

const JsonNode& context_within(const JsonNode& file) {
  const JsonNode* context = file.find("@context");
  return context == nullptr ? file : *context;
}

}  // namespace

bool is_jsonld_keyword(std::string_view text) noexcept {
  return std::find(std::begin(kKeywords), std::end(kKeywords), text) != std::end(kKeywords);
}

bool looks_like_keyword(std::string_view text) noexcept {
  return text.size() > 1 && text.front() == '@' && std::all_of(text.begin() + 1, text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

JsonLdContexts::JsonLdContexts(std::string file, std::filesystem::path folder, std::string base,
                               std::filesystem::path given)
    : file_(std::move(file)), folder_(std::move(folder)), base_(std::move(base)) {
  JsonLdContext empty;
  empty.base = base_;
  initial_ = std::make_shared<const JsonLdContext>(std::move(empty));
  if (given.empty()) return;
  JsonLdContexts alone(given.string(), given.parent_path(), *base_, {});
  How inside;
  try {
    const JsonNode local = alone.load(given.filename().string(), How(), inside);
    initial_ = alone.process(initial_, local, inside);
  } catch (const JsonLdError& error) {
    throw DataError(given.string(), 0, error.what());
  }
  given_ = std::move(given);
}

// An address is none to go to: the given file stands for it.
JsonNode JsonLdContexts::load(const std::string& reference, const How& how, How& inside) const {
  if (is_address(reference) && given_.empty())
    throw DataError(
        file_, 0,
        "needs the context " + reference +
            ", and nothing is fetched; save it as a file, and give that as the context or name it "
            "in the text instead");
  if (how.depth >= kMaxFiles) throw JsonLdError("contexts name each other without an end");
  const std::string path = reference.starts_with("file://") ? reference.substr(7) : reference;
  const std::filesystem::path file =
      is_address(reference) ? given_ : (how.folder.empty() ? folder_ : how.folder) / path;
  JsonNode node;
  JsonProblem problem;
  if (!parse_json(read_file(file), node, problem))
    throw DataError(file.string(), 0, "is to be a context of JSON-LD, and is no JSON: " + problem.why);
  if (!node.is_object()) throw DataError(file.string(), 0, "is to be a context of JSON-LD, and is no object");
  inside = how;
  inside.folder = file.parent_path();
  if (inside.folder.empty()) inside.folder = ".";
  ++inside.depth;
  return context_within(node);
}

JsonLdContext JsonLdContexts::cleared(const JsonLdContext& active, const How& how) const {
  const auto is_protected = [](const auto& term) { return term.second->is_protected; };
  if (!how.overrides_protected && std::any_of(active.terms.begin(), active.terms.end(), is_protected))
    throw JsonLdError("a context takes back terms that are protected");
  JsonLdContext result;
  result.base = base_;
  if (!how.propagates) result.previous = std::make_shared<const JsonLdContext>(active);
  return result;
}

JsonLdContextPtr JsonLdContexts::process(const JsonLdContextPtr& active, const JsonNode& local,
                                         const How& how) {
  bool propagates = how.propagates;
  if (const JsonNode* said = local.find("@propagate")) {
    if (!said->is_boolean()) throw JsonLdError("@propagate is neither true nor false");
    propagates = said->kind == JsonNode::Kind::kTrue;
  }
  auto result = std::make_shared<JsonLdContext>(*active);
  if (!propagates && !result->previous) result->previous = active;
  How all = how;
  all.propagates = propagates;
  for (const JsonNode* each : values_of(local)) {
    if (each->is_null()) {
      const JsonLdContextPtr previous = result->previous;
      *result = cleared(*result, all);
      if (!propagates && previous) result->previous = previous;
    } else if (each->is_string()) {
      How inside;
      const JsonNode file = load(each->text, how, inside);
      result = std::make_shared<JsonLdContext>(*process(result, file, inside));
    } else if (each->is_object()) {
      each->has("@import") ? apply(*result, with_import(*each, how), how) : apply(*result, *each, how);
    } else {
      throw JsonLdError("@context is neither an object nor the name of a file");
    }
  }
  return result;
}

// The imported context, what stands beside it before what it says itself.
JsonNode JsonLdContexts::with_import(const JsonNode& local, const How& how) const {
  const JsonNode& reference = *local.find("@import");
  if (!reference.is_string()) throw JsonLdError("@import is no text");
  How inside;
  JsonNode merged = load(reference.text, how, inside);
  if (!merged.is_object() || merged.has("@import"))
    throw JsonLdError("what @import names is no context without one");
  for (std::size_t i = 0; i < local.keys.size(); ++i)
    if (local.keys[i] != "@import") merged.set(local.keys[i], local.items[i]);
  return merged;
}

void JsonLdContexts::apply(JsonLdContext& result, const JsonNode& local, const How& how) {
  if (const JsonNode* version = local.find("@version"))
    if (!version->is_number() || version->number != 1.1) throw JsonLdError("@version is not 1.1");
  if (const JsonNode* base = local.find("@base"); base != nullptr && how.depth == 0) {
    if (base->is_null())
      result.base.reset();
    else if (base->is_string() && (has_scheme(base->text) || result.base))
      result.base = resolved_iri(base->text, result.base.value_or(""));
    else
      throw JsonLdError("@base is no IRI");
  }
  if (const JsonNode* vocab = local.find("@vocab")) {
    if (!vocab->is_null() && !vocab->is_string()) throw JsonLdError("@vocab is no IRI");
    const auto iri = vocab->is_null() ? std::nullopt : expand_iri(result, vocab->text, true, true);
    result.vocab = iri;
  }
  if (const JsonNode* language = local.find("@language")) {
    if (!language->is_null() && !language->is_string()) throw JsonLdError("@language is no text");
    result.language = language->text;
  }
  if (const JsonNode* direction = local.find("@direction"))
    if (!direction->is_null() && !direction->is_string("ltr") && !direction->is_string("rtl"))
      throw JsonLdError("@direction is neither ltr nor rtl");
  define_jsonld_terms(result, local, how, how.folder.empty() ? folder_ : how.folder);
}

JsonLdContextPtr JsonLdContexts::scoped(const JsonLdContextPtr& active, const JsonLdTerm& term,
                                        bool overrides_protected, bool propagates) {
  const ScopedKey key{active.get(), {term.context.get(), overrides_protected + 2 * propagates}};
  if (const auto known = scoped_.find(key); known != scoped_.end()) return known->second.result;
  const JsonLdContextPtr result =
      process(active, *term.context, {overrides_protected, propagates, term.context_folder, 0});
  if (scoped_.size() >= kMaxRemembered) scoped_.clear();
  scoped_[key] = {active, result, term.context};
  return result;
}

std::optional<std::string> JsonLdContexts::expand_iri(const JsonLdContext& active, std::string_view text,
                                                      bool relative, bool vocab) {
  if (is_jsonld_keyword(text)) return std::string(text);
  if (looks_like_keyword(text)) return std::nullopt;
  if (const JsonLdTerm* term = active.term(text)) {
    if (term->iri && is_jsonld_keyword(*term->iri)) return term->iri;
    if (vocab) return term->iri;
  }
  const std::size_t colon = text.find(':', text.empty() ? 0 : 1);
  if (colon != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, colon), suffix = text.substr(colon + 1);
    if (prefix == "_" || suffix.starts_with("//")) return std::string(text);
    const JsonLdTerm* term = active.term(prefix);
    if (term != nullptr && term->iri && term->is_prefix) return *term->iri + std::string(suffix);
    if (has_scheme(text)) return std::string(text);
  }
  if (vocab && active.vocab) return *active.vocab + std::string(text);
  if (relative && active.base) return resolved_iri(text, *active.base);
  return std::string(text);
}

}  // namespace kgwalk::graph
