#include <cstdlib>
#include <iostream>
#include "tests/dialogue/telling/film_facts.h"
#include "tests/dialogue/telling/random_forms.h"
#include "kgwalk/form_text.h"
namespace kgwalk::dialogue {
TEST(Probe, Random) {
  test::TempFolder folder;
  graph::IngestOptions options;
  options.database = folder / "kg";
  options.triples = {std::getenv("PROBE")};
  (void)graph::ingest(options);
  const auto graph = graph::Store::open(folder / "kg", graph::Store::Mode::kReadOnly).load_graph();
  const graph::TypedValues values(graph);
  const forms::Engine engine(values);
  testing::RandomForms forms(values, std::atoi(std::getenv("SEED")));
  for (int i = 0; i < 60; ++i) {
    const auto q = forms.query();
    const auto a = engine.answer(q);
    std::cout << tell(q, a, engine, builtin_wordings(), {.most_names = 4}).sentence << "\n      [" << forms::in_words(q, values) << "]\n      " << form_line(q, a, engine) << "\n      " << why_sentence(q, a, engine) << "\n";
  }
}
}
