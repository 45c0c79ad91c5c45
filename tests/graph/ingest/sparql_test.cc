// Graphs of SPARQL endpoints: pages, and what endpoints do instead of giving one.
#include "graph/ingest/sparql_source.h"

#include <chrono>
#include <thread>

#include "tests/graph/ingest/format_fixture.h"
#include "tests/graph/ingest/page_server.h"

namespace kgwalk::graph::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQuery = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } ORDER BY ?s";

class SparqlTest : public FormatTest {
 protected:
  SparqlTest() { ask(kQuery); }
  void ask(std::string_view query) {
    options_.triples.clear();
    options_.sparql.query = folder_.write("q.rq", query);
    options_.sparql.page_rows = 2;
  }
  // What storing fails with; nothing may be left of it.
  std::string failure(const PageServer& server) {
    options_.sparql.url = server.url();
    const std::string why = error_of([&] { store(); });
    EXPECT_FALSE(fs::exists(options_.database));
    EXPECT_TRUE(why.starts_with(server.url() + ", page ")) << why;
    EXPECT_NE(why.find("nothing was written"), std::string::npos) << why;
    return why;
  }
  static std::string error_of(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

// Five solutions, as an endpoint gives them.
Page five(const std::string& body) {
  const std::size_t mark = body.find("OFFSET%20");
  const std::size_t offset = mark == std::string::npos ? 0 : std::stoul(body.substr(mark + 9));
  const std::size_t end = mark == std::string::npos ? 5 : std::min<std::size_t>(offset + 2, 5);
  Page page;
  for (std::size_t i = offset; i < end; ++i)
    page.body +=
        "<x:s" + std::to_string(i) + "> <x:p> <x:o> .\n_:b0 <x:of> <x:s" + std::to_string(i) + "> .\n";
  return page;
}

TEST_F(SparqlTest, PagesAreAskedForUntilOneIsEmpty) {
  std::size_t asked = 0;
  const PageServer server([&](const std::string& body) { return ++asked, five(body); });
  options_.sparql.url = server.url();
  const IngestReport report = store();
  EXPECT_EQ(asked, 4u) << "three with statements, an empty one";
  EXPECT_EQ(report.triple_lines, 10u);
  EXPECT_EQ(report.entities, 9u) << "five things, what they lead to, and a blank node of each page";
  EXPECT_EQ(report.files[2].first, server.url() + ", page 3");
  EXPECT_TRUE(report.notes.empty());
}

TEST_F(SparqlTest, ALimitOfTheQuerysOwnIsAskedOnce) {
  ask("CONSTRUCT WHERE { ?s ?p ?o } # all\nLIMIT 5");
  std::size_t asked = 0;
  const PageServer server([&](const std::string& body) { return ++asked, five(body); });
  options_.sparql.url = server.url();
  EXPECT_EQ(store().triple_lines, 10u);
  EXPECT_EQ(asked, 1u);
}

TEST_F(SparqlTest, WithoutAnOrderItIsToldWhatMayBeMissing) {
  ask("CONSTRUCT WHERE { ?s ?p ?o }");
  const PageServer server(five);
  options_.sparql.url = server.url();
  const IngestReport report = store();
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("ORDER BY"), std::string::npos);
}

TEST_F(SparqlTest, OtherFormatsOfStatementsAreRead) {
  const PageServer server([n = 0](const std::string&) mutable {
    return Page{.type = "text/turtle; charset=utf-8",
                .body = n++ > 0 ? "@prefix : <x:> .\n" : "@prefix : <x:> . :a :p :b , :c ."};
  });
  options_.sparql.url = server.url();
  EXPECT_EQ(store().triple_lines, 2u);
}

TEST_F(SparqlTest, AFailureInPageThreeTellsThePageAndLeavesNothing) {
  const PageServer server([n = 0](const std::string& body) mutable {
    return ++n == 3 ? Page{.status = 500, .type = "text/plain", .body = "out of memory\nat line 7"}
                    : five(body);
  });
  const std::string why = failure(server);
  EXPECT_NE(why.find(", page 3: it answered with the status 500: out of memory;"), std::string::npos) << why;
}

TEST_F(SparqlTest, APageOfTheWebIsNoGraph) {
  const PageServer server([](const std::string&) { return Page{.type = "text/html", .body = "<html>"}; });
  EXPECT_NE(failure(server).find("the answer is text/html, not N-Triples"), std::string::npos);
}

TEST_F(SparqlTest, RedirectionsAreToldAndNotFollowed) {
  const PageServer server([](const std::string&) {
    return Page{.status = 301, .header = "Location: https://elsewhere.example/sparql\r\n"};
  });
  EXPECT_NE(failure(server).find("lies elsewhere, at https://elsewhere.example/sparql: give that address"),
            std::string::npos);
}

TEST_F(SparqlTest, AnAnswerBeyondTheLimitIsRefused) {
  const PageServer server([](const std::string&) { return Page{.body = std::string(5000, '#')}; });
  options_.sparql.max_page_bytes = 4096;
  EXPECT_NE(failure(server).find("its answer is too long"), std::string::npos);
}

TEST_F(SparqlTest, ASlowEndpointIsWaitedForNoLongerThanTold) {
  const PageServer server([](const std::string&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return Page{};
  });
  options_.sparql.page_seconds = 0.1;
  EXPECT_NE(failure(server).find("page 1: "), std::string::npos);
}

TEST_F(SparqlTest, AnEndpointThatPassesOverTheOffsetIsFoundOut) {
  const PageServer server([](const std::string&) { return Page{.body = "<x:a> <x:p> <x:b> .\n"}; });
  EXPECT_NE(failure(server).find("passes over OFFSET"), std::string::npos);
}

TEST(PagedQuery, PagesStandBeforeTheValuesAndBehindTheOrder) {
  EXPECT_EQ(PagedQuery("CONSTRUCT WHERE {?s ?p ?o} ORDER BY ?s", "q").page(10, 20),
            "CONSTRUCT WHERE {?s ?p ?o} ORDER BY ?s\nLIMIT 10 OFFSET 20\n");
  EXPECT_EQ(PagedQuery("CONSTRUCT WHERE {?s ?p ?o} VALUES ?s {<x:a>}", "q").page(1, 0),
            "CONSTRUCT WHERE {?s ?p ?o} \nLIMIT 1 OFFSET 0\nVALUES ?s {<x:a>}");
}

TEST(PagedQuery, WordsInsideMeanNothing) {
  const auto has_pages = [](const char* text) { return PagedQuery(text, "q").has_pages(); };
  EXPECT_TRUE(
      has_pages("PREFIX limit: <x:#> CONSTRUCT {?s limit:p ?o} WHERE {{SELECT * {?s ?p ?o} LIMIT 3}}"));
  EXPECT_TRUE(has_pages("CONSTRUCT WHERE {?s ?p '} LIMIT 3'} # LIMIT 3"));
  EXPECT_TRUE(has_pages("CONSTRUCT {?s ?p ?o} WHERE {?s ?p ?o FILTER(?s < ?o)} ORDER BY ?limit"));
  EXPECT_TRUE(has_pages("CONSTRUCT WHERE {?s <http://x/#LIMIT> '''it's } LIMIT 3'''}")) << "in an address";
  EXPECT_FALSE(has_pages("construct where {?s ?p \"\\\"}\"} offset 3"));
  EXPECT_THROW(PagedQuery("SELECT * WHERE {?s ?p ?construct}", "q"), ConfigError);
  EXPECT_THROW(PagedQuery("", "q"), ConfigError);
}

}  // namespace
}  // namespace kgwalk::graph::testing
