#include "graph/ingest/formats/statement_queue.h"

#include <thread>
#include <utility>

namespace kgwalk::graph {

StatementQueue::Piece StatementQueue::put(std::string_view text) {
  const Piece piece{filling_.texts.size(), text.size()};
  filling_.texts += text;
  return piece;
}

void StatementQueue::push(const Record& record) {
  filling_.records.push_back(record);
  if (filling_.records.size() >= kRecords || filling_.texts.size() >= kTextBytes) flush();
}

void StatementQueue::add(const Statement& s, std::size_t line) {
  push({What::kStatement,
        {s.subject.kind, s.predicate.kind, s.object.kind},
        {},
        {put(s.subject.text), put(s.predicate.text), put(s.object.text), put(s.object.language),
         put(s.object.datatype), put(s.source)},
        line});
}

void StatementQueue::prefix(std::string_view name, std::string_view iri) {
  push({What::kPrefix, {}, {}, {put(name), put(iri)}, 0});
}

void StatementQueue::at(std::size_t position) { push({What::kPosition, {}, {}, {}, position}); }

void StatementQueue::skip(std::size_t line, Reason reason, std::string_view why) {
  push({What::kProblem, {}, reason, {put(why)}, line});
}

void StatementQueue::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kWaiting || abandoned_; });
  if (abandoned_) throw Abandoned();
  waiting_.push_back(std::move(filling_));
  filling_ = Batch();
  if (!spare_.empty()) {
    filling_ = std::move(spare_.back());
    spare_.pop_back();
  }
  changed_.notify_all();
}

void StatementQueue::end(std::exception_ptr thrown) {
  const std::lock_guard lock(mutex_);
  thrown_ = std::move(thrown);
  ended_ = true;
  changed_.notify_all();
}

bool StatementQueue::next(Batch& batch) {
  std::unique_lock lock(mutex_);
  batch.clear();
  spare_.push_back(std::move(batch));
  changed_.wait(lock, [&] { return !waiting_.empty() || ended_; });
  if (waiting_.empty()) return false;
  batch = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  changed_.notify_all();
  return true;
}

void StatementQueue::hand_on(const Batch& batch, StatementSink& sink, ProblemLog& log) {
  const std::string_view texts = batch.texts;
  for (const Record& record : batch.records) {
    const auto text = [&](std::size_t i) {
      return texts.substr(record.pieces[i].begin, record.pieces[i].bytes);
    };
    switch (record.what) {
      case What::kStatement:
        sink.add({.subject = {record.kinds[0], text(0), {}, {}},
                  .predicate = {record.kinds[1], text(1), {}, {}},
                  .object = {record.kinds[2], text(2), text(3), text(4)},
                  .source = text(5)},
                 record.number);
        break;
      case What::kPrefix:
        sink.prefix(text(0), text(1));
        break;
      case What::kPosition:
        sink.at(record.number);
        break;
      case What::kProblem:
        log.skip(record.number, record.reason, text(0));
        break;
    }
  }
}

void StatementQueue::run(const std::function<void()>& read, StatementSink& sink, ProblemLog& log) {
  std::thread reader([&] {
    try {
      read();
      flush();
      end(nullptr);
    } catch (const Abandoned&) {
      end(nullptr);
    } catch (...) {
      std::exception_ptr thrown = std::current_exception();
      try {
        flush();       // what came before it is told
      } catch (...) {  // abandoned, or no memory for it: `thrown` says what went wrong first
      }
      end(std::move(thrown));
    }
  });
  try {
    for (Batch batch; next(batch);) hand_on(batch, sink, log);
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      abandoned_ = true;
      changed_.notify_all();
    }
    reader.join();
    throw;
  }
  reader.join();
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace kgwalk::graph
