// A graph asked of a SPARQL endpoint: the query's statements, page by page.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/ingest.h"
#include "runtime/http/http_client.h"

namespace kgwalk::graph {

// A CONSTRUCT query and the place in it where a page can be asked for.
class PagedQuery {
 public:
  // ConfigError, which names `source`, for what is no CONSTRUCT.
  PagedQuery(std::string text, const std::string& source);

  // Whether pages can be asked for: the query has no LIMIT or OFFSET of its own.
  [[nodiscard]] bool has_pages() const noexcept { return !is_limited_; }
  // Without an order an endpoint may give solutions twice and others never.
  [[nodiscard]] bool is_ordered() const noexcept { return is_ordered_; }
  [[nodiscard]] std::string page(std::size_t limit, std::size_t offset) const;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  std::size_t place_;  // of LIMIT and OFFSET: the end, or before VALUES
  bool is_limited_ = false, is_ordered_ = false;
};

struct SparqlPage {
  std::string name;  // for messages: the address and the page's number
  std::string bytes;
  InputFormat format;
};

class SparqlPages {
 public:
  // ConfigError for an address, a query or limits that cannot be used.
  SparqlPages(const SparqlSource& source, const StopFlag& stop);

  // The next page; nullopt after the one page of a query that has its own limit. Every page is asked for once
  // and never again: a failure ends the ingestion, which leaves no half of a graph. IoError and DataError
  // tell the page; Stopped.
  [[nodiscard]] std::optional<SparqlPage> next();
  [[nodiscard]] const PagedQuery& query() const noexcept { return query_; }

 private:
  [[nodiscard]] HttpAnswer ask(const std::string& query, const std::string& name) const;

  const SparqlSource& source_;
  const StopFlag& stop_;
  PagedQuery query_;
  HttpClient client_;
  std::size_t num_pages_ = 0;
  std::string last_;  // page, to know an endpoint that passes over OFFSET
};

}  // namespace kgwalk::graph
