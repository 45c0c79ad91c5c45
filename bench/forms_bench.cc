// Benchmarks of forms on a graph of 100,000 entities and some 550,000 facts, films with people and years:
//
//   forms_bench
//   forms_bench --benchmark_filter=Oldest --benchmark_repetitions=5
//
// One thread. People are drawn with a skew: person 0 plays in some 15,000 of 50,000 films, person 2000 in
// some ten.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "kgwalk/form_text.h"
#include "kgwalk/ingest.h"
#include "kgwalk/query.h"
#include "kgwalk/store.h"

namespace kgwalk::bench {
namespace {

using namespace forms;

constexpr int kFilms = 50'000, kPeople = 45'000, kOthers = 5'000;

void write_films(const std::filesystem::path& file) {
  std::mt19937_64 random(7);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  const auto person = [&] {
    return "<http://example.org/p" + std::to_string(static_cast<int>(kPeople * std::pow(uniform(), 4))) + ">";
  };
  std::ofstream out(file);
  const auto fact = [&](const std::string& film, const char* relation, const std::string& object) {
    out << film << " <http://example.org/" << relation << "> " << object << " .\n";
  };
  for (int i = 0; i < kFilms; ++i) {
    const std::string film = "<http://example.org/f" + std::to_string(i) + ">";
    out << film << " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/Film> .\n";
    fact(film, "director", person());
    for (int k = 0; k < 5; ++k) fact(film, "starring", person());
    const int year = 1920 + static_cast<int>(random() % 105);
    fact(film, "releaseYear", "\"" + std::to_string(year) + "\"^^<http://www.w3.org/2001/XMLSchema#gYear>");
    const std::string minutes = std::to_string(60 + random() % 120);
    fact(film, "minutes", "\"" + minutes + "\"^^<http://www.w3.org/2001/XMLSchema#integer>");
    for (int k = 0; k < 2; ++k)
      fact(film, "about", "<http://example.org/o" + std::to_string(random() % kOthers) + ">");
  }
}

struct World {
  graph::KnowledgeGraph graph;
  graph::TypedValues values;
  Engine engine;

  World() : graph(load()), values(graph), engine(values) {}

  static graph::KnowledgeGraph load() {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("kgwalk_forms_bench_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    write_films(folder / "films.nt");
    graph::IngestOptions options;
    options.database = folder / "kg";
    options.triples = {folder / "films.nt"};
    (void)graph::ingest(options);
    graph::KnowledgeGraph graph =
        graph::Store::open(folder / "kg", graph::Store::Mode::kReadOnly).load_graph();
    std::filesystem::remove_all(folder);
    return graph;
  }
  [[nodiscard]] Set thing(const char* name) const { return entities({graph.find_entity(name).value()}); }
  [[nodiscard]] Relations relation(const char* name) const { return {graph.find_relation(name).value()}; }
  [[nodiscard]] Set films() const { return of_type({graph.find_entity("Film").value()}); }
  [[nodiscard]] Set with(const char* person) const { return step(thing(person), relation("~starring")); }
  [[nodiscard]] Set nineties(Set of) const {
    return where(std::move(of), relation("release year"),
                 between(graph::year_value(1990), graph::year_value(1999)));
  }
};

const World& world() {
  static const World world;
  return world;
}

void answer(benchmark::State& state, const Query& query) {
  (void)world().engine.answer(query);  // what is sorted once is sorted before
  std::uint64_t total = 0;
  for (auto _ : state) total = world().engine.answer(query).total;
  state.counters["total"] = static_cast<double>(total);
}

Query oldest_of_the_nineties(const char* person) {
  return find(first(world().nineties(both(world().films(), world().with(person))),
                    value_of(world().relation("release year"))));
}

void OldestOfThe1990sWithHub(benchmark::State& state) { answer(state, oldest_of_the_nineties("p0")); }
void OldestOfThe1990sWithSomebody(benchmark::State& state) { answer(state, oldest_of_the_nineties("p2000")); }
void OldestOfThe1990s(benchmark::State& state) {
  answer(state, find(first(world().nineties(world().films()), value_of(world().relation("release year")))));
}
void OldestOfAll(benchmark::State& state) {
  answer(state, find(first(world().films(), value_of(world().relation("release year")))));
}
void LongestFiveOfAll(benchmark::State& state) {
  answer(state, find(last(world().films(), value_of(world().relation("minutes")), 5)));
}
void OneHop(benchmark::State& state) {
  answer(state, find(step(world().thing("f7"), world().relation("director"))));
}
void OneHopBackwards(benchmark::State& state) { answer(state, find(world().with("p2000"))); }
void TwoHops(benchmark::State& state) {
  answer(state, find(step(world().with("p2000"), world().relation("director"))));
}
void TwoHopsFromHub(benchmark::State& state) {
  answer(state, find(step(world().with("p0"), world().relation("director"))));
}
void BothHubAndSomebody(benchmark::State& state) {
  answer(state, find(both(world().with("p0"), world().with("p2000"))));
}
void IsAmong(benchmark::State& state) {
  answer(state, check_among(world().thing("p0"), step(world().thing("f7"), world().relation("starring"))));
}
void CountAfter2005(benchmark::State& state) {
  answer(state, count(where(world().films(), world().relation("release year"),
                            {Comparison::kGreater, graph::year_value(2005)})));
}
void MostFilmsOfAll(benchmark::State& state) {
  answer(state, find(last(having(world().relation("~director")), count_of(world().relation("~director")))));
}
void AverageMinutesOfAll(benchmark::State& state) {
  answer(state, average(world().films(), world().relation("minutes")));
}

void WordsJsonAndSparql(benchmark::State& state) {
  const Query query = oldest_of_the_nineties("p0");
  std::size_t bytes = 0;
  for (auto _ : state)
    bytes += in_words(query, world().values).size() + to_json(query, world().values).dump().size() +
             to_sparql(query, world().values).size();
  benchmark::DoNotOptimize(bytes);
}

void ReadValues(benchmark::State& state) {
  for (auto _ : state) {
    const graph::TypedValues values(world().graph);
    benchmark::DoNotOptimize(values.ranked(world().relation("minutes").front()).size());
  }
}

BENCHMARK(OldestOfThe1990sWithHub)->Unit(benchmark::kMicrosecond);
BENCHMARK(OldestOfThe1990sWithSomebody)->Unit(benchmark::kMicrosecond);
BENCHMARK(OldestOfThe1990s)->Unit(benchmark::kMicrosecond);
BENCHMARK(OldestOfAll)->Unit(benchmark::kMicrosecond);
BENCHMARK(LongestFiveOfAll)->Unit(benchmark::kMicrosecond);
BENCHMARK(OneHop)->Unit(benchmark::kMicrosecond);
BENCHMARK(OneHopBackwards)->Unit(benchmark::kMicrosecond);
BENCHMARK(TwoHops)->Unit(benchmark::kMicrosecond);
BENCHMARK(TwoHopsFromHub)->Unit(benchmark::kMicrosecond);
BENCHMARK(BothHubAndSomebody)->Unit(benchmark::kMicrosecond);
BENCHMARK(IsAmong)->Unit(benchmark::kMicrosecond);
BENCHMARK(CountAfter2005)->Unit(benchmark::kMicrosecond);
BENCHMARK(MostFilmsOfAll)->Unit(benchmark::kMicrosecond);
BENCHMARK(AverageMinutesOfAll)->Unit(benchmark::kMicrosecond);
BENCHMARK(WordsJsonAndSparql)->Unit(benchmark::kMicrosecond);
BENCHMARK(ReadValues)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kgwalk::bench

BENCHMARK_MAIN();
