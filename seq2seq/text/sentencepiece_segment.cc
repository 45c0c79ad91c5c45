// The two segmentations: best path of a unigram model, and merges of a BPE model; ties and roundings follow
// spm_encode. And random ones.
#include <algorithm>
#include <cmath>
#include <queue>

#include "seq2seq/text/sentencepiece_internal.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

using PieceType = SentencePieceModel::PieceType;

constexpr float kUnknownPenalty = 10;

struct BestEnd {  // the best segmentation of the text up to a byte
  int id = -1;
  float score = 0;
  std::ptrdiff_t start = -1;  // where its last piece begins; -1 = none yet
};

void offer(BestEnd& end, double score, std::size_t start, int id) {
  if (end.start >= 0 && score <= end.score) return;
  end = {id, static_cast<float>(score), static_cast<std::ptrdiff_t>(start)};
}

// f(length, score, id) for every piece that may begin at byte `start`.
template <class F>
void each_piece_at(const SentencePiece::Impl& impl, std::string_view text, std::size_t start, F&& f) {
  const std::size_t step = utf8_step(text.substr(start));
  bool single = false;  // a piece for just this character exists
  impl.text_trie.prefixes(text.substr(start), [&](std::size_t length, int id) {
    if (impl.is(id, PieceType::kUnused)) return;
    // A user-defined symbol must always win.
    const double score = impl.is(id, PieceType::kUserDefined)
                             ? static_cast<float>(length) * impl.highest_score - 0.1
                             : impl.score(id);
    f(length, score, id);
    single = single || length == step;
  });
  if (!single) f(step, impl.lowest_score - kUnknownPenalty, impl.model.unknown_id);
}

}  // namespace

Segments segment_unigram(const SentencePiece::Impl& impl, std::string_view text) {
  std::vector<BestEnd> ends(text.size() + 1);
  for (std::size_t start = 0; start < text.size(); start += utf8_step(text.substr(start))) {
    const float score_here = ends[start].score;
    each_piece_at(impl, text, start, [&](std::size_t length, double score, int id) {
      offer(ends[start + length], score + score_here, start, id);
    });
  }
  Segments segments;
  for (std::size_t end = text.size(); end > 0;) {
    const auto start = static_cast<std::size_t>(ends[end].start);
    segments.emplace_back(text.substr(start, end - start), ends[end].id);
    end = start;
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

namespace {

struct LastPiece {  // of a segmentation that ends at some byte
  std::size_t start;
  int id;
  double log_weight;  // of all segmentations that end with it
};

double log_add(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

}  // namespace

// Weights of all segmentations forwards, then pieces drawn from the end backwards.
Segments sample_unigram(const SentencePiece::Impl& impl, std::string_view text, double exponent,
                        Random& random) {
  std::vector<std::vector<LastPiece>> ends(text.size() + 1);
  std::vector<double> log_weights(text.size() + 1, 0);
  for (std::size_t start = 0; start < text.size(); start += utf8_step(text.substr(start))) {
    each_piece_at(impl, text, start, [&](std::size_t length, double score, int id) {
      const std::size_t end = start + length;
      const double log_weight = log_weights[start] + exponent * score;
      log_weights[end] = ends[end].empty() ? log_weight : log_add(log_weights[end], log_weight);
      ends[end].push_back({start, id, log_weight});
    });
  }
  Segments segments;
  for (std::size_t end = text.size(); end > 0;) {
    double left = random.uniform();
    const LastPiece* drawn = nullptr;
    for (const LastPiece& last : ends[end]) {
      drawn = &last;
      left -= std::exp(last.log_weight - log_weights[end]);
      if (left < 0) break;
    }
    segments.emplace_back(text.substr(drawn->start, end - drawn->start), drawn->id);
    end = drawn->start;
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

namespace {

struct Symbol {
  std::string_view text;  // empty once merged into its left neighbor
  int previous = -1, next = -1;
  bool fixed = false;  // user-defined: never merged
};

struct Merge {
  float score;
  int left, right;
  std::size_t size;
  bool operator<(const Merge& other) const {
    return score < other.score || (score == other.score && left > other.left);
  }
};

class BpeMerger {
 public:
  BpeMerger(const SentencePiece::Impl& impl, std::string_view text, double dropout, Random* random)
      : impl_(impl), dropout_(dropout), random_(random) {
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view rest = text.substr(at);
      const std::size_t kept = impl.user_defined.longest(rest).first;
      const std::size_t length = kept > 0 ? kept : utf8_step(rest);
      const int index = static_cast<int>(symbols_.size());
      symbols_.push_back({rest.substr(0, length), index - 1, index + 1, kept > 0});
      at += length;
    }
    if (!symbols_.empty()) symbols_.back().next = -1;
  }

  [[nodiscard]] Segments run() {
    for (int i = 1; i < static_cast<int>(symbols_.size()); ++i) propose(i - 1, i);
    while (!queue_.empty()) {
      const Merge merge = queue_.top();
      queue_.pop();
      Symbol& left = at(merge.left);
      Symbol& right = at(merge.right);
      if (left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != merge.size)
        continue;
      if (random_ && random_->uniform() < dropout_) continue;
      left.text = joined(left, right);
      left.next = right.next;
      if (right.next >= 0) at(right.next).previous = merge.left;
      right.text = {};
      propose(left.previous, merge.left);
      propose(merge.left, left.next);
    }
    Segments segments;
    for (int i = symbols_.empty() ? -1 : 0; i >= 0; i = at(i).next) emit(at(i).text, segments);
    return segments;
  }

 private:
  Symbol& at(int index) { return symbols_[static_cast<std::size_t>(index)]; }
  // Neighbors lie side by side in the text.
  static std::string_view joined(const Symbol& left, const Symbol& right) {
    return {left.text.data(), left.text.size() + right.text.size()};
  }

  void propose(int left, int right) {
    if (left < 0 || right < 0 || at(left).fixed || at(right).fixed) return;
    const std::string_view piece = joined(at(left), at(right));
    const auto it = impl_.text_ids.find(piece);
    if (it == impl_.text_ids.end()) return;
    queue_.push({impl_.score(it->second), left, right, piece.size()});
    if (impl_.is(it->second, PieceType::kUnused)) splits_[piece] = at(left).text.size();
  }

  // Pieces that may be merged through but not used are taken apart again.
  void emit(std::string_view piece, Segments& out) {
    const int id = impl_.id_of(piece);
    const auto split = impl_.is(id, PieceType::kUnused) ? splits_.find(piece) : splits_.end();
    if (split == splits_.end()) {
      out.emplace_back(piece, id);
      return;
    }
    emit(piece.substr(0, split->second), out);
    emit(piece.substr(split->second), out);
  }

  const SentencePiece::Impl& impl_;
  double dropout_;
  Random* random_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Merge> queue_;
  std::unordered_map<std::string_view, std::size_t> splits_;
};

}  // namespace

Segments segment_bpe(const SentencePiece::Impl& impl, std::string_view text, double dropout, Random* random) {
  return BpeMerger(impl, text, dropout, random).run();
}

}  // namespace kgwalk::seq2seq
