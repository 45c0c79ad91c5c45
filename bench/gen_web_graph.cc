// Makes a synthetic graph with clustered hubs, as the web has them: lines "head TAB relation TAB tail" on
// standard output. For the time and size of the distance index; ready-made graphs of this kind are large.
// Build: g++ -O2 -o gen_web_graph bench/gen_web_graph.cc
// Use:   ./gen_web_graph PAGES TRIPLES RELATIONS [SEED]     e.g. ./gen_web_graph 1700000 5500000 50 7 >
// web.tsv Pages lie in sites of 20 to some 20,000. Nine links of ten stay in their site, most of them at its
// first pages; the others lead to the first pages of other sites, the largest ones above all. The same
// arguments give the same bytes everywhere (no library distribution is used).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// splitmix64
struct Random {
  std::uint64_t state;
  double uniform() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
};

// Sites by falling size: site k has about 20,000 / (1 + k / 20)^0.8 pages, 20 at least.
std::vector<long> site_starts(long pages) {
  std::vector<long> starts{0};
  for (long k = 0; starts.back() < pages; ++k) {
    const double size = 20000 / std::pow(1 + static_cast<double>(k) / 20, 0.8);
    const long next = starts.back() + std::max(20L, static_cast<long>(size));
    starts.push_back(next < pages ? next : pages);
  }
  return starts;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: gen_web_graph PAGES TRIPLES RELATIONS [SEED]\n");
    return 2;
  }
  const long pages = std::atol(argv[1]), triples = std::atol(argv[2]);
  const double relations = std::atof(argv[3]);
  Random random{argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 7};
  const std::vector<long> starts = site_starts(pages);
  const double sites = static_cast<double>(starts.size() - 1);
  static char buffer[1 << 20];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  for (long i = 0; i < triples; ++i) {
    const long head = static_cast<long>(static_cast<double>(pages) * random.uniform());
    const auto own =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), head) - starts.begin() - 1);
    const bool inside = random.uniform() < 0.9;
    const std::size_t site = inside ? own : static_cast<std::size_t>(sites * std::pow(random.uniform(), 3));
    const double size = static_cast<double>(starts[site + 1] - starts[site]);
    const long tail = starts[site] + static_cast<long>(size * std::pow(random.uniform(), inside ? 4 : 10));
    const long relation = static_cast<long>(relations * std::pow(random.uniform(), 2));
    if (tail != head) std::printf("Page %ld\tlink %ld\tPage %ld\n", head, relation, tail);
  }
}
