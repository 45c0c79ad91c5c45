// Conversations that a server holds by an id: in memory, and on disk where it is told a folder.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>

#include "server/state/event_hub.h"
#include "server/state/model_shelf.h"
#include "server/state/session_files.h"

namespace kgwalk::server {

struct SessionOptions {
  std::filesystem::path folder = {};  // empty: conversations end with the server
  std::size_t most = 1000;            // in memory
  std::size_t most_turns = 1000;      // of one
  double idle_s = 3600;               // without a folder: after this a conversation may make room for another
};

// Thread-safe. The turns of one conversation come one after another. Refusal: 404 for an id that is not
// known, 409 for one that has had its turns, 429 when there are too many conversations.
class Sessions {
 public:
  Sessions(ModelShelf& models, SessionOptions options);

  // The id of a new one with this model ("" = the first).
  [[nodiscard]] std::string create(std::string_view model, std::uint64_t seed);
  // One turn (server/state/actions.h). When this returns, the turn is on disk. {"say", "reply", "over",
  // "turns"} and the standing; told to who listens as well.
  [[nodiscard]] Json turn(const std::string& id, const Json& action);
  // Takes the conversation back to what it was after its first `turns` turns, and returns view(). Refusal:
  // 409 where that was taken back already or forgotten.
  [[nodiscard]] Json rewind(const std::string& id, std::size_t turns);
  // {"id", "model", "log"} and the standing.
  [[nodiscard]] Json view(const std::string& id);
  [[nodiscard]] Json transcript(const std::string& id);
  void remove(const std::string& id);

  [[nodiscard]] EventHub& events() { return events_; }
  [[nodiscard]] std::size_t size() const;  // in memory

 private:
  using Clock = std::chrono::steady_clock;
  struct Session {
    std::binary_semaphore free{1};  // no mutex: asked for by try_acquire() also in the thread that has it
    Json record = nullptr;          // {"model", "seed", "memory", "log"}
    std::shared_ptr<const Model> model;  // of `live`
    std::optional<Conversation> live;    // gone when the model left: recalled from the record then
    std::optional<SessionFiles::Stamp> stamp;
    std::atomic<Clock::time_point> used = Clock::now();
    bool removed = false;
  };
  template <class Work>
  auto with(const std::string& id, Work&& work);
  [[nodiscard]] static Json as_it_stands(const std::string& id, const Session& session);
  [[nodiscard]] std::shared_ptr<Session> find(const std::string& id);
  void wake(const std::string& id, Session& session);
  void keep(const std::string& id, Session& session);
  void make_room();
  void sleep(const std::string& model);

  ModelShelf& models_;
  SessionOptions options_;
  std::optional<SessionFiles> files_;
  EventHub events_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> sessions_;
};

}  // namespace kgwalk::server
