#include "graph/distances/landmark_labels.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/parallel.h"
#include "runtime/sealed_file.h"
#include "runtime/stopwatch.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxVertices = (std::size_t{1} << 24) - 2;
constexpr unsigned kMaxDistance = 126;  // two of them and their refinement stay below kFar

// The growth of the labels, told at every doubling of the hubs. Later hubs add less, in about the same
// proportion from doubling to doubling, so the rest is a geometric series.
class Growth {
 public:
  Growth(std::size_t hubs, const IndexLimits& limits) : hubs_(static_cast<double>(hubs)), limits_(limits) {}

  // What all hubs will need, after the first `done` of them; 0 before the second doubling.
  [[nodiscard]] IndexEstimate expected(std::size_t done, std::size_t vertices, double labels) {
    const IndexEstimate now{seconds(), labels}, &last = state_.last, &before = state_.before;
    const IndexEstimate out{
        now.seconds + rest(done, now.seconds - last.seconds, last.seconds - before.seconds),
        kFixedBytesAVertex * static_cast<double>(vertices) +
            4 * (labels + rest(done, labels - last.bytes, last.bytes - before.bytes))};
    state_.before = state_.last;
    state_.last = now;
    ++state_.doublings;
    return out;
  }
  // The hubs begin: what went before is no part of their growth.
  void begin() { state_.before = state_.last = {seconds(), 0}; }
  // A forecast from little is worth little.
  [[nodiscard]] bool tells() const {
    return state_.doublings >= kLeastDoublings && seconds() >= kLeastSeconds;
  }
  [[nodiscard]] double seconds() const { return state_.seconds + watch_.seconds(); }
  // What a labeling that is stopped keeps of it, and one that goes on begins with.
  struct State {
    double seconds = 0;
    std::int64_t doublings = 0;
    IndexEstimate last, before;  // `bytes` are labels here
  };
  [[nodiscard]] State state() const {
    State now = state_;
    now.seconds = seconds();
    return now;
  }
  void go_on_from(const State& state) {
    state_ = state;
    watch_ = Stopwatch();
  }
  [[nodiscard]] bool passes(const IndexEstimate& e) const {
    return e.seconds > limits_.seconds || e.bytes > static_cast<double>(limits_.bytes);
  }

 private:
  static constexpr double kLeastSeconds = 5;
  static constexpr int kLeastDoublings = 4;
  // `last`: what came between done / 2 and done hubs; `before`: in the doubling before that.
  [[nodiscard]] double rest(std::size_t done, double last, double before) const {
    const double ratio = before > 0 ? std::clamp(last / before, 0.0, 2.0) : 2.0;
    double sum = 0, more = last, from = static_cast<double>(done);
    for (; from < hubs_; from *= 2) sum += (more *= ratio) * std::min(1.0, (hubs_ - from) / from);
    return sum;
  }

  double hubs_;
  IndexLimits limits_;
  Stopwatch watch_;
  State state_;
};

// What one thread needs for a pruned search.
struct PrunedSearch {
  explicit PrunedSearch(std::size_t size) : distance(size, kFar), to_hub(size, kFar) {}
  std::vector<std::uint8_t> distance, to_hub;
  std::vector<std::uint32_t> queue;
};

// A vertex and its distance to the hub that a search began at.
struct Reached {
  std::uint32_t vertex;
  std::uint8_t distance;
};

// Finds the labels in order of falling degree. Hubs go by batches: searches of a batch, which threads share,
// are pruned by the labels before it; what a hub of the same batch covers is dropped when they are joined.
// That leaves the labels that one hub after the other would have given.
class Labeling {
 public:
  Labeling(const SearchGraph& graph, const KeptLabels& kept)
      : graph_(graph), kept_(kept), used_(graph.size()) {
    out_.roots.resize(graph.size());
    out_.labels.resize(graph.size());
    for (RootLabels& labels : out_.roots) {
      labels.distance.fill(kFar);
      for (auto& set : labels.sets) set = {0, 0};
    }
  }

  std::optional<LandmarkLabels> run(const IndexLimits& limits, IndexEstimate& estimate, Reporter& reporter,
                                    const StopFlag& stop) {
    const auto n = static_cast<std::uint32_t>(graph_.size());
    Growth growth(n, limits);
    search_roots(stop);
    growth.begin();
    const auto progress = reporter.start("distance index", n, "vertices");
    std::uint32_t told = kFirstTold, begin = 0;
    if (load(begin, growth)) {
      reporter.info("going on with the distance index, of which " + with_commas(begin) + " of " +
                    with_commas(n) + " vertices are done");
      progress->add(begin);
      while (told <= begin) told *= 2;
    }
    Stopwatch since_saved;
    while (begin < n) {
      if (stop.requested()) {
        if (kept_.file.empty()) throw Stopped("the distance index was stopped; start it again");
        save(begin, growth);
        throw Interrupted("the distance index was stopped after " + with_commas(begin) + " of " +
                          with_commas(n) + " vertices; saved in " + kept_.file.string());
      }
      if (since_saved.seconds() > kSecondsBetween) {
        try {
          save(begin, growth);
        } catch (const IoError& error) {  // a full disk does not end what may still be done
          reporter.warn(std::string("what is done of the distance index is not kept: ") + error.what());
        }
        since_saved = Stopwatch();
      }
      // No batch passes a point where the growth is told, or is large beside what was labeled before it.
      const std::uint32_t end = std::min({n, told, begin + std::clamp(begin / 16, 1U, kLargestBatch)});
      label_batch(begin, end);
      progress->add(end - begin);
      begin = end;
      if (begin != told) continue;
      told *= 2;
      estimate = growth.expected(begin, n, static_cast<double>(num_labels_));
      const bool passes = growth.tells() && growth.passes(estimate);
      if (passes || needed_bytes() > static_cast<double>(limits.bytes)) return forget(), std::nullopt;
    }
    forget();
    estimate = {growth.seconds(), needed_bytes()};
    if (needed_bytes() > static_cast<double>(limits.bytes)) return std::nullopt;
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kFirstTold = 32, kLargestBatch = 512;
  static constexpr double kSecondsBetween = 60;

  struct KeptHeader {
    std::array<char, 8> magic{'K', 'G', 'W', 'L', 'A', 'B', 'L', '1'};
    std::uint64_t vertices = 0, begin = 0, labels = 0;
    Growth::State growth;
  };

  // The roots are searched again: that takes moments.
  void save(std::uint32_t begin, const Growth& growth) const {
    if (kept_.file.empty()) return;
    const fs::path written = kept_.file.string() + ".tmp";
    try {
      write(written, begin, growth);
      fs::rename(written, kept_.file);
    } catch (const IoError&) {
      std::error_code ignored;
      fs::remove(written, ignored);
      throw;
    }
  }

  void write(const fs::path& file, std::uint32_t begin, const Growth& growth) const {
    SealedFileWriter out(file);
    KeptHeader header;
    header.vertices = graph_.size();
    header.begin = begin;
    header.labels = num_labels_;
    header.growth = growth.state();
    const auto append = [&](const void* data, std::size_t bytes) {
      out.append({static_cast<const char*>(data), bytes});
    };
    append(&header, sizeof(header));
    for (const std::vector<std::uint32_t>& labels : out_.labels) {
      const auto count = static_cast<std::uint32_t>(labels.size());
      append(&count, sizeof(count));
      append(labels.data(), labels.size() * sizeof(std::uint32_t));
    }
    out.finish(kept_.graph);
  }

  // False where there is none, and where it is of another graph or damaged: it would be made anew anyway.
  bool load(std::uint32_t& begin, Growth& growth) {
    if (kept_.file.empty() || !fs::exists(kept_.file)) return false;
    try {
      const SealedFile file(kept_.file, {});
      if (file.tag() != kept_.graph) return false;
      file.check_all();
      KeptHeader header;
      std::string_view rest = file.bytes();
      const auto take = [&](void* to, std::size_t bytes) {
        if (rest.size() < bytes) throw StoreError(kept_.file.string() + " ends too early");
        std::memcpy(to, rest.data(), bytes);
        rest.remove_prefix(bytes);
      };
      take(&header, sizeof(header));
      if (header.magic != KeptHeader().magic || header.vertices != graph_.size()) return false;
      std::vector<std::vector<std::uint32_t>> all(graph_.size());
      for (std::vector<std::uint32_t>& labels : all) {
        std::uint32_t count = 0;
        take(&count, sizeof(count));
        labels.resize(count);
        take(labels.data(), count * sizeof(std::uint32_t));
      }
      out_.labels = std::move(all);
      num_labels_ = header.labels;
      begin = static_cast<std::uint32_t>(header.begin);
      growth.go_on_from(header.growth);
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  void forget() const {
    std::error_code ignored;
    if (!kept_.file.empty()) fs::remove(kept_.file, ignored);
  }

  [[nodiscard]] double needed_bytes() const {
    return kFixedBytesAVertex * static_cast<double>(graph_.size()) + 4 * static_cast<double>(num_labels_);
  }

  [[noreturn]] static void refuse_long() {
    throw Error(
        "the graph has vertices more than 126 hops apart; the distance index does not take such graphs");
  }

  // A root and its first 64 unused neighbors, by which each root is chosen in turn.
  struct Root {
    std::uint32_t source;
    std::vector<std::uint32_t> chosen;
  };
  std::vector<Root> choose_roots() {
    std::vector<Root> roots;
    for (std::uint32_t v = 0; v < graph_.size() && roots.size() < kNumRoots; ++v) {
      if (used_[v]) continue;
      used_[v] = true;
      Root& root = roots.emplace_back(Root{v, {}});
      for (const std::uint32_t w : graph_.row(v)) {
        if (used_[w] || root.chosen.size() == 64) continue;
        used_[w] = true;
        root.chosen.push_back(w);
      }
    }
    return roots;
  }

  void search_roots(const StopFlag& stop) {
    const std::vector<Root> roots = choose_roots();
    parallel_for(static_cast<std::int64_t>(roots.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        if (stop.requested()) throw Stopped("the distance index was stopped; start it again");
        search_root(i, roots[i]);
      }
    });
  }

  // What a search from a root finds, apart from what other roots have found: it fits the cache.
  struct FromRoot {
    explicit FromRoot(std::size_t size) : distance(size, kFar), sets(size) {}
    std::vector<std::uint8_t> distance;
    std::vector<std::array<std::uint64_t, 2>> sets;
  };

  // Breadth-first from a root and its chosen neighbors at once.
  void search_root(std::size_t place, const Root& root) {
    FromRoot found(graph_.size());
    for (std::size_t i = 0; i < root.chosen.size(); ++i)
      found.sets[root.chosen[i]][0] = std::uint64_t{1} << i;
    std::vector<std::uint32_t> level{root.source}, next;
    found.distance[root.source] = 0;
    for (unsigned d = 0; !level.empty(); ++d) {
      if (d > kMaxDistance) refuse_long();
      next.clear();
      for (const std::uint32_t v : level)
        for (const std::uint32_t w : graph_.row(v))
          if (found.distance[w] == kFar) {
            found.distance[w] = static_cast<std::uint8_t>(d + 1);
            next.push_back(w);
          }
      spread_sets(found, level, d);
      level.swap(next);
    }
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      out_.roots[v].distance[place] = found.distance[v];
      out_.roots[v].sets[place] = found.sets[v];
    }
  }

  // Sets of the level first grow along its own edges, then go down to the next.
  void spread_sets(FromRoot& found, const std::vector<std::uint32_t>& level, unsigned d) const {
    for (const std::uint32_t v : level)
      for (const std::uint32_t w : graph_.row(v))
        if (found.distance[w] == d) found.sets[v][1] |= found.sets[w][0];
    for (const std::uint32_t v : level)
      for (const std::uint32_t w : graph_.row(v))
        if (found.distance[w] == d + 1) {
          found.sets[w][0] |= found.sets[v][0];
          found.sets[w][1] |= found.sets[v][1];
        }
  }

  // Whether the roots and the labels of v in `labels` give a distance of at most d between the hub and v.
  [[nodiscard]] bool covered(std::uint32_t hub, std::uint32_t v, unsigned d,
                             const PrunedSearch& search) const {
    const RootLabels& theirs = out_.roots[hub];
    const RootLabels& mine = out_.roots[v];
    if (bound_by_roots(theirs.distance, mine.distance, theirs.sets.data(), mine.sets.data(), d + 1) <= d)
      return true;
    const std::vector<std::uint32_t>& labels = out_.labels[v];
    return std::any_of(labels.begin(), labels.end(), [&](std::uint32_t label) {
      return unsigned{search.to_hub[label >> 8]} + (label & 0xff) <= d;
    });
  }

  std::vector<Reached> search_pruned(std::uint32_t hub, PrunedSearch& search) const {
    std::vector<Reached> found;
    auto& [distance, to_hub, queue] = search;
    for (const std::uint32_t label : out_.labels[hub]) to_hub[label >> 8] = static_cast<std::uint8_t>(label);
    queue.assign(1, hub);
    distance[hub] = 0;
    unsigned farthest = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t v = queue[i];
      const unsigned d = distance[v];
      if (covered(hub, v, d, search)) continue;
      farthest = d;
      if (d > kMaxDistance) break;
      found.push_back({v, static_cast<std::uint8_t>(d)});
      for (const std::uint32_t w : graph_.row(v))
        if (w > hub && distance[w] == kFar) {
          distance[w] = static_cast<std::uint8_t>(d + 1);
          queue.push_back(w);
        }
    }
    for (const std::uint32_t v : queue) distance[v] = kFar;
    for (const std::uint32_t label : out_.labels[hub]) to_hub[label >> 8] = kFar;
    if (farthest > kMaxDistance) refuse_long();
    return found;
  }

  void label_batch(std::uint32_t begin, std::uint32_t end) {
    std::vector<std::vector<Reached>> found(end - begin);
    parallel_for(end - begin, 1, [&](std::int64_t from, std::int64_t to) {
      std::unique_ptr<PrunedSearch> search = take();
      for (std::int64_t i = from; i < to; ++i) {
        const std::uint32_t hub = begin + static_cast<std::uint32_t>(i);
        if (!used_[hub]) found[static_cast<std::size_t>(i)] = search_pruned(hub, *search);
      }
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(search));
    });
    for (std::uint32_t hub = begin; hub < end; ++hub) join(hub, begin, found[hub - begin]);
  }

  // Labels of hubs before `begin` have pruned the search already.
  void join(std::uint32_t hub, std::uint32_t begin, const std::vector<Reached>& found) {
    std::vector<std::uint32_t> close;  // labels of the hub within the batch
    for (const std::uint32_t label : out_.labels[hub])
      if (label >> 8 >= begin) close.push_back(label);
    for (const auto& [v, d] : found) {
      std::vector<std::uint32_t>& labels = out_.labels[v];
      if (joined_before(labels, begin, close, d)) continue;
      labels.push_back(hub << 8 | d);
      ++num_labels_;
    }
  }

  // Both ascend. Whether a hub of the batch is in both, within a distance of d.
  [[nodiscard]] static bool joined_before(const std::vector<std::uint32_t>& labels, std::uint32_t begin,
                                          const std::vector<std::uint32_t>& close, unsigned d) {
    if (close.empty()) return false;
    auto i = labels.rbegin();
    for (auto j = close.rbegin(); i != labels.rend() && j != close.rend() && *i >> 8 >= begin;) {
      const std::uint32_t a = *i >> 8, b = *j >> 8;
      if (a == b && (*i & 0xff) + (*j & 0xff) <= d) return true;
      if (a >= b) ++i;
      if (b >= a) ++j;
    }
    return false;
  }

  std::unique_ptr<PrunedSearch> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<PrunedSearch> search = std::move(free_.back());
        free_.pop_back();
        return search;
      }
    }
    return std::make_unique<PrunedSearch>(graph_.size());
  }

  const SearchGraph& graph_;
  const KeptLabels& kept_;
  std::vector<bool> used_;
  std::mutex mutex_;  // of `free_`
  std::vector<std::unique_ptr<PrunedSearch>> free_;
  std::uint64_t num_labels_ = 0;
  LandmarkLabels out_;
};

}  // namespace

std::optional<LandmarkLabels> build_landmark_labels(const SearchGraph& graph, const IndexLimits& limits,
                                                    IndexEstimate& estimate, const KeptLabels& kept,
                                                    Reporter& reporter, const StopFlag& stop) {
  if (graph.size() > kMaxVertices)
    throw Error("the distance index takes at most " + std::to_string(kMaxVertices) + " connected entities");
  return Labeling(graph, kept).run(limits, estimate, reporter, stop);
}

}  // namespace kgwalk::graph
