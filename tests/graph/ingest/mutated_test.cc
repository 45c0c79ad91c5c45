// Texts of JSON, JSON-LD, GraphML and Wikidata with bytes changed, cut out and doubled: whatever comes of it
// is a graph or a DataError.
#include <random>

#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

class MutatedTest : public testing::FormatTest {
 protected:
  static constexpr int kTries = 400;

  static std::string mutated(std::string text, std::mt19937& random) {
    using namespace std::string_view_literals;
    constexpr std::string_view kBytes = "{}[]\",:\\<>&/@_ \n\t0e-.\xff\0u"sv;
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    for (std::size_t change = 1 + below(4); change > 0 && !text.empty(); --change) {
      const std::size_t at = below(text.size()),
                        length = below(std::min<std::size_t>(40, text.size() - at) + 1);
      switch (below(4)) {
        case 0:
          text[at] = kBytes[below(kBytes.size())];
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        default:
          text.insert(at, 1, kBytes[below(kBytes.size())]);
      }
    }
    return text;
  }

  void try_all(const std::string& name, const std::string& text) {
    std::mt19937 random(1);
    int read_well = 0;
    for (int i = 0; i < kTries; ++i) {
      const std::string changed = mutated(text, random);
      try {
        (void)read(name, changed);
        ++read_well;
      } catch (const Error&) {
      } catch (const std::exception& error) {
        FAIL() << error.what() << " from " << changed;
      }
    }
    EXPECT_GT(read_well, kTries / 4);  // a slip rarely costs everything
  }
};

TEST_F(MutatedTest, Json) {
  const std::string lines = R"({"id": "a", "name": "A", "r": {"id": "b"}, "list": [1, 2.5e3, true, null]})"
                            "\n"
                            R"({"@id": "_:x", "label": "\u00e9", "n": {"m": {"o": [[{"p": "q"}]]}}})"
                            "\n";
  try_all("a.jsonl", lines);
  try_all("a.json", "[" + lines.substr(0, lines.find('\n')) + ",\n" + lines.substr(lines.find('\n')) + "]");
}

TEST_F(MutatedTest, JsonLd) {
  try_all("a.jsonld",
          R"({"@context": {"@vocab": "http://e/", "@base": "http://b/", "p": {"@id": "q", "@type": "@id"},
  "l": {"@container": "@list"}, "m": {"@container": "@language"}, "i": {"@container": ["@graph", "@index"], "@index": "k"},
  "rev": {"@reverse": "q"}, "T": {"@context": {"s": "http://s/"}}, "n": "@nest", "j": {"@type": "@json"}},
"@graph": [
{"@id": "a", "@type": "T", "p": ["b", "_:c"], "l": [1, [2]], "m": {"en": "x", "de": ["y"]}, "s": 1.5},
{"@id": "b", "rev": {"@id": "a"}, "i": {"x": {"p": "z"}}, "n": {"p": "y"}, "j": {"a": [1]}, "@included": [{"@id": "z", "s": 2}]},
{"@id": "g", "@graph": [{"@id": "a", "p": "d", "@reverse": {"p": {"@id": "f"}}}], "@context": {"p": null}}
]})");
}

TEST_F(MutatedTest, GraphMl) {
  try_all("a.graphml",
          R"(<?xml version="1.0"?><graphml xmlns:y="http://y/"><key id="d0" for="node" attr.name="name"/>
<key id="d1" for="edge" attr.name="label"><default>r</default></key><key id="d2" for="node" yfiles.type="nodegraphics"/>
<graph id="G"><node id="n0" labels=":A:B"><data key="d0">X &amp; Y</data><data key="d2"><y:NodeLabel>N</y:NodeLabel></data>
<graph><node id="n0::n1"/></graph></node><node id="n1"/>
<edge source="n0" target="n1"><data key="d1">knows</data></edge><edge source="n1" target="n0::n1"/></graph></graphml>)");
}

TEST_F(MutatedTest, Wikidata) {
  options_.input.format = InputFormat::kWikidata;
  try_all("a.json", R"([
{"type":"item","id":"Q1","labels":{"en":{"language":"en","value":"A"}},"aliases":{"en":[{"language":"en","value":"B"}]},"claims":{"P1":[{"mainsnak":{"snaktype":"value","datavalue":{"value":{"entity-type":"item","id":"Q2"},"type":"wikibase-entityid"},"datatype":"wikibase-item"},"rank":"normal"}],"P2":[{"mainsnak":{"snaktype":"value","datavalue":{"value":{"time":"-0044-03-15T00:00:00Z","precision":11,"calendarmodel":"http://www.wikidata.org/entity/Q1985786"},"type":"time"},"datatype":"time"},"rank":"preferred"}]}},
{"type":"item","id":"Q2","claims":{"P3":[{"mainsnak":{"snaktype":"value","datavalue":{"value":{"amount":"+1.5","unit":"http://www.wikidata.org/entity/Q11573"},"type":"quantity"},"datatype":"quantity"},"rank":"normal"}],"P4":[{"mainsnak":{"snaktype":"value","datavalue":{"value":{"latitude":1.5,"longitude":2},"type":"globecoordinate"}},"rank":"normal"}]}}
])");
}

}  // namespace
}  // namespace kgwalk::graph
