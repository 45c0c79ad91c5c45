// Statements on their way from a reader, which parses on a thread of its own, to those who take them. Batches
// of copies go through, so that both work at once; everything arrives in the order in which it was given.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/problem_log.h"
#include "graph/ingest/statement.h"

namespace kgwalk::graph {

class StatementQueue {
 public:
  // For the reading thread. Each may wait until there is room, and throws Abandoned when nobody takes what is
  // given any more. Terms are copied; statements have neither weight nor qualifiers nor nodes at their ends.
  void add(const Statement& statement, std::size_t line);
  void prefix(std::string_view name, std::string_view iri);
  void at(std::size_t position);
  void skip(std::size_t line, Reason reason, std::string_view why);
  struct Abandoned : std::exception {};

  // Runs `read` on a thread of its own and hands on what it gives, on this one. What either throws comes out,
  // after both have ended.
  void run(const std::function<void()>& read, StatementSink& sink, ProblemLog& log);

 private:
  struct Piece {  // of the texts of a batch
    std::size_t begin, bytes;
  };
  enum class What : std::uint8_t { kStatement, kPrefix, kPosition, kProblem };
  struct Record {
    What what;
    std::array<TermKind, 3> kinds;  // of subject, predicate and object
    Reason reason;
    std::array<Piece, 6> pieces;  // the three, language, datatype and source; name and IRI; why
    std::size_t number;           // line or position
  };
  struct Batch {
    std::vector<Record> records;
    std::string texts;
    void clear() { records.clear(), texts.clear(); }
  };
  static constexpr std::size_t kRecords = 4096, kTextBytes = 1 << 20, kWaiting = 4;

  [[nodiscard]] Piece put(std::string_view text);
  void push(const Record& record);
  void flush();
  void end(std::exception_ptr thrown);
  bool next(Batch& batch);
  static void hand_on(const Batch& batch, StatementSink& sink, ProblemLog& log);

  Batch filling_;  // the reading thread's
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> waiting_, spare_;
  bool ended_ = false, abandoned_ = false;
  std::exception_ptr thrown_;  // by the reading thread
};

}  // namespace kgwalk::graph
