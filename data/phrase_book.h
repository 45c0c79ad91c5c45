// The wordings of data/facts/phrases.txt (its head explains the format) and how they are filled with names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/fact_graph.h"

namespace kgwalk::sample {

// A kind of path: where it starts, the relation and the kind of vertex of each hop ("*": any), and how one
// speaks of it.
struct Pattern {
  struct Hop {
    int relation;
    std::string kind;
  };
  std::string start_kind;
  std::vector<Hop> hops;
  int weight = 10;
  std::vector<std::string> questions, statements;
};

class PhraseBook {
 public:
  // DataError for a broken line or a relation that the graph does not have. The graph must outlive the book.
  [[nodiscard]] static PhraseBook read(const std::filesystem::path& path, const FactGraph& graph);

  [[nodiscard]] const std::vector<Pattern>& patterns() const noexcept { return patterns_; }
  // The lines listed under "@ name kind", else under "@ name *", else under "@ name".
  [[nodiscard]] const std::vector<std::string>& lines(const std::string& name, const std::string& kind) const;

  // Fills a line for the vertices of a path (start first). Nothing when a look-up such as
  // {t:release_year} finds none.
  [[nodiscard]] std::optional<std::string> fill(std::string_view line,
                                                const std::vector<int>& vertices) const;

  // The line with "it", "he" or "him" for {h} where that reads well, for a start that has just been named.
  [[nodiscard]] std::string with_pronoun(std::string line, int start) const;

  // The name as it stands in a sentence: no "(Novel)" at the end, an article or a small letter where
  // it needs one.
  [[nodiscard]] std::string spoken(int entity) const;

 private:
  explicit PhraseBook(const FactGraph& graph) : graph_(&graph) {}
  void add_line(const std::string& line);
  void add_pattern(const std::string& text);
  [[nodiscard]] std::optional<std::string> value(std::string_view slot,
                                                 const std::vector<int>& vertices) const;
  // spoken(), but "the novel X" beside another vertex of the path that is spoken as X.
  [[nodiscard]] std::string spoken_in(int entity, const std::vector<int>& vertices) const;
  [[nodiscard]] std::string pronoun(int entity, std::string_view form) const;

  const FactGraph* graph_;
  std::vector<Pattern> patterns_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::vector<std::string>* list_ = nullptr;  // the list that "- " lines join while reading
};

}  // namespace kgwalk::sample
