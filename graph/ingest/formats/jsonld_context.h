// Contexts of JSON-LD 1.1: what terms mean (https://www.w3.org/TR/json-ld11-api/, sections 4 and 5.2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "graph/ingest/formats/json_tree.h"

namespace kgwalk::graph {

// What is wrong with one element. Caught within the reader.
class JsonLdError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum JsonLdContainer : std::uint8_t {
  kListContainer = 1,
  kSetContainer = 2,
  kIndexContainer = 4,
  kLanguageContainer = 8,
  kGraphContainer = 16,
  kIdContainer = 32,
  kTypeContainer = 64,
};

struct JsonLdTerm {
  std::optional<std::string> iri;       // or a keyword; nullopt: the term means nothing
  std::string type;                     // an IRI, "@id", "@vocab", "@json", "@none", or empty
  std::optional<std::string> language;  // empty: none, whatever the context says
  std::string index = "@index";
  std::shared_ptr<const JsonNode> context;  // of its own
  std::filesystem::path context_folder;     // of the files that it names
  std::uint8_t containers = 0;
  bool is_prefix = false, is_reverse = false, is_protected = false;
  [[nodiscard]] bool has(JsonLdContainer container) const noexcept { return (containers & container) != 0; }
  // But for protection, and with contexts compared by their text.
  [[nodiscard]] bool means_the_same(const JsonLdTerm& other) const;
};

struct JsonLdContext {
  std::map<std::string, std::shared_ptr<const JsonLdTerm>, std::less<>> terms;
  std::optional<std::string> base;  // nullopt: relative IRIs stay so
  std::optional<std::string> vocab;
  std::string language;
  std::shared_ptr<const JsonLdContext> previous;  // to go back to in the next node
  [[nodiscard]] const JsonLdTerm* term(std::string_view name) const {
    const auto found = terms.find(name);
    return found == terms.end() ? nullptr : found->second.get();
  }
};

using JsonLdContextPtr = std::shared_ptr<const JsonLdContext>;

// Makes contexts. Nothing is fetched: contexts are within the text, in files beside it, or in the one file
// that stands for every address.
class JsonLdContexts {
 public:
  // `file`: the text, of which errors tell; `given` may be empty.
  JsonLdContexts(std::string file, std::filesystem::path folder, std::string base,
                 std::filesystem::path given);

  // Before any context of the text: what the given file says.
  [[nodiscard]] const JsonLdContextPtr& initial() const noexcept { return initial_; }

  struct How {
    bool overrides_protected = false, propagates = true;
    std::filesystem::path folder = {};  // of the file that the context stands in; empty: that of the text
    int depth = 0;                      // of files that name files
  };
  // JsonLdError where the context breaks the rules; DataError for an address, or a file that is none.
  [[nodiscard]] JsonLdContextPtr process(const JsonLdContextPtr& active, const JsonNode& local,
                                         const How& how);
  [[nodiscard]] JsonLdContextPtr process(const JsonLdContextPtr& active, const JsonNode& local) {
    return process(active, local, How());
  }
  // The same for a context that a term brings along; remembered.
  [[nodiscard]] JsonLdContextPtr scoped(const JsonLdContextPtr& active, const JsonLdTerm& term,
                                        bool overrides_protected, bool propagates);

  // The IRI or keyword that text stands for; nullopt: nothing. What is no IRI after all comes back as it is.
  [[nodiscard]] static std::optional<std::string> expand_iri(const JsonLdContext& active,
                                                             std::string_view text, bool relative,
                                                             bool vocab);

 private:
  void apply(JsonLdContext& result, const JsonNode& local, const How& how);
  [[nodiscard]] JsonLdContext cleared(const JsonLdContext& active, const How& how) const;
  [[nodiscard]] JsonNode with_import(const JsonNode& local, const How& how) const;
  // The context of a file, and how what it names is to be read.
  [[nodiscard]] JsonNode load(const std::string& reference, const How& how, How& inside) const;

  std::string file_;
  std::filesystem::path folder_, given_;
  std::optional<std::string> base_;
  JsonLdContextPtr initial_;
  using ScopedKey = std::pair<const JsonLdContext*, std::pair<const JsonNode*, int>>;
  struct ScopedResult {
    JsonLdContextPtr active, result;  // `active` is held so that its address stays its own
    std::shared_ptr<const JsonNode> local;
  };
  std::map<ScopedKey, ScopedResult> scoped_;
};

// Defines every term of a context, in `result`, in which all else of it is there already.
void define_jsonld_terms(JsonLdContext& result, const JsonNode& local, const JsonLdContexts::How& how,
                         const std::filesystem::path& folder);

[[nodiscard]] bool is_jsonld_keyword(std::string_view text) noexcept;
// "@" and letters: reserved for keywords to come, and ignored.
[[nodiscard]] bool looks_like_keyword(std::string_view text) noexcept;

}  // namespace kgwalk::graph
