#include "cli/use/plan_requests.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>

#include "cli/frame/print.h"
#include "cli/frame/shard_options.h"
#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "runtime/atomic_file.h"
#include "runtime/checksum.h"
#include "runtime/line_stream.h"
#include "runtime/sharded_work.h"
#include "server/doors/operations.h"
#include "server/schema.h"
#include "server/state/model.h"

namespace kgwalk::cli {
namespace {

constexpr std::size_t kLinesAThread = 32;  // read ahead, so that threads wait for each other seldom

// A file to read, or standard input.
class RequestsInput {
 public:
  explicit RequestsInput(const std::filesystem::path& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) throw IoError(path.string() + ": cannot open: " + std::strerror(errno));
  }
  ~RequestsInput() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  RequestsInput(const RequestsInput&) = delete;
  RequestsInput& operator=(const RequestsInput&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

class Answering {
 public:
  Answering(const PlanRequests& asked, const Common& common)
      : model_({.database = asked.model.database, .run = asked.model.run, .text = asked.model.text},
               {.text = asked.model.text, .other_graph = asked.model.other_graph}),
        plan_(*server::operation_named("plan")),
        work_(shards_of(asked.shards, common)) {
    work_.rests_on("graph", model_.planner().graph().checksum());
    if (is_sharded(asked.shards)) work_.rests_on("requests", checksum_of_file(asked.requests));
    if (!work_.is_part()) out_.emplace(asked.out.empty() ? "-" : asked.out);
  }

  // Answers the lines, in their order.
  void answer(const std::vector<std::string>& lines) {
    const std::int64_t first = work_.take(static_cast<std::int64_t>(lines.size()));
    std::vector<std::optional<std::string>> answers(lines.size());
    std::exception_ptr failure;
    std::mutex mutex;
    // Each plan on one thread, however many lines there are: so its bits are the same in any batch.
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < lines.size(); ++i) {
      try {
        answers[i] = work_.unit<std::string>(first + static_cast<std::int64_t>(i),
                                             [&] { return answer_to(lines[i]).dump(); });
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    for (const std::optional<std::string>& answer : answers) {
      if (!answer) continue;
      ++answered_;
      failed_ += answer->find("\"status\":200") == std::string::npos ? 1 : 0;
      if (out_) out_->write(*answer + '\n');
    }
    if (out_) out_->flush();
  }

  // What a shard tells; nothing elsewhere, where standard output may be the answers'.
  std::optional<ShardDone> end(Reporter& reporter) {
    if (failed_ > 0)
      reporter.warn(fmt::format("{} of {} requests were not answered; their lines say why", counted(failed_),
                                counted(answered_)));
    auto done = work_.end();
    if (out_) out_->commit();
    return done;
  }

 private:
  [[nodiscard]] Json answer_to(const std::string& line) const {
    Json id;
    Json answer = server::outcome_of([&] {
      Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!request.is_object())
        throw ConfigError("a line must be a json object, as POST /api/v1/plan takes it");
      if (const auto at = request.find("id"); at != request.end()) {
        id = *at;
        request.erase(at);
      }
      return plan_.run(model_, server::fitted(plan_.input(), request, plan_.name));
    });
    if (!id.is_null()) answer["id"] = std::move(id);
    return answer;
  }

  server::Model model_;
  const server::Operation& plan_;
  ShardedWork work_;
  std::optional<AtomicFile> out_;
  std::uint64_t answered_ = 0, failed_ = 0;
};

}  // namespace

void answer_plan_requests(const PlanRequests& asked, const Common& common) {
  if (is_sharded(asked.shards) && asked.requests == "-")
    throw CLI::ValidationError(
        "--shard needs a file of --requests: each shard reads all lines and answers its own");
  const RequestsInput input(asked.requests);
  Answering answering(asked, common);
  LineStream lines(input.fd(), *common.stop);
  const auto progress = common.reporter->start("plans", 0, "requests");
  const std::size_t most = kLinesAThread * static_cast<std::size_t>(num_threads());
  for (auto batch = lines.next(most); !batch.empty(); batch = lines.next(most)) {
    answering.answer(batch);
    progress->add(static_cast<std::int64_t>(batch.size()));
  }
  if (common.stop->requested()) throw Stopped("stopped; the requests that follow were not answered");
  if (const auto done = answering.end(*common.reporter)) common.tell({done->text, done->json});
}

}  // namespace kgwalk::cli
