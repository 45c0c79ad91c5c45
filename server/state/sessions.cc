#include "server/state/sessions.h"

#include <cmath>
#include <utility>

#include "kgwalk/error.h"
#include "server/http/problem.h"
#include "server/state/actions.h"
#include "server/state/standing.h"

namespace kgwalk::server {
namespace {

// Gives a semaphore back that was acquired.
class Release {
 public:
  explicit Release(std::binary_semaphore& semaphore) : semaphore_(semaphore) {}
  ~Release() { semaphore_.release(); }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

 private:
  std::binary_semaphore& semaphore_;
};

// The graph may be another one since, after a reload or a restart.
void recall_into(Conversation& conversation, const Json& memory) {
  if (memory.is_null()) return;
  try {
    conversation.recall(memory);
  } catch (const FormatError& error) {
    throw Refusal(409,
                  std::string("this conversation cannot be gone on with, begin another: ") + error.what());
  }
}

}  // namespace

Sessions::Sessions(ModelShelf& models, SessionOptions options)
    : models_(models), options_(std::move(options)) {
  if (!options_.folder.empty()) files_.emplace(options_.folder);
  models_.when_one_leaves([this](const std::string& model) { sleep(model); });
}

std::shared_ptr<Sessions::Session> Sessions::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = sessions_.find(id); found != sessions_.end()) return found->second;
  if (!is_session_id(id) || !files_ || !files_->stamp(id))
    throw Refusal(404, "there is no conversation of this id");
  make_room();
  return sessions_[id] =
             std::make_shared<Session>();  // of another server, or of before a restart: read when locked
}

// Runs `work` on a conversation that is as it was left last, here or by another server.
template <class Work>
auto Sessions::with(const std::string& id, Work&& work) {
  const std::shared_ptr<Session> session = find(id);
  session->free.acquire();
  const Release release(session->free);
  if (session->removed) throw Refusal(404, "there is no conversation of this id");
  std::unique_ptr<SessionFiles::Lock> of_all;
  if (files_) of_all = files_->lock(id);
  wake(id, *session);
  session->used = Clock::now();
  return work(*session);
}

void Sessions::wake(const std::string& id, Session& session) {
  if (files_) {
    const auto stamp = files_->stamp(id);
    if (!stamp) {
      files_->remove(id);  // the lock that was just made for it
      throw Refusal(404, "there is no conversation of this id");
    }
    if (session.record.is_null() || session.stamp != stamp) {
      session.record = files_->read(id);
      session.stamp = stamp;
      session.live.reset();
    }
  }
  std::shared_ptr<const Model> model = models_.get(session.record.at("model").get_ref<const std::string&>());
  if (session.live && session.model == model) return;
  if (session.live) session.record["memory"] = session.live->memory();
  session.live.reset();
  Conversation conversation = model->conversation(session.record.at("seed").get<std::uint64_t>());
  recall_into(conversation, session.record.at("memory"));
  session.live.emplace(std::move(conversation));
  session.model = std::move(model);
}

// What cannot be kept has not happened: the next turn begins with what is on disk.
void Sessions::keep(const std::string& id, Session& session) {
  if (!files_) return;
  try {
    session.record["memory"] = session.live->memory();
    files_->write(id, session.record);
    session.stamp = files_->stamp(id);
  } catch (...) {
    session.live.reset();
    session.record = nullptr;
    throw;
  }
}

// With mutex_ held. On disk nothing is lost by it; without, only who has said nothing for long has to go.
void Sessions::make_room() {
  while (sessions_.size() >= options_.most) {
    auto oldest = sessions_.begin();
    for (auto it = sessions_.begin(); it != sessions_.end(); ++it)
      if (it->second->used.load() < oldest->second->used.load()) oldest = it;
    const std::chrono::duration<double> idle = Clock::now() - oldest->second->used.load();
    if (!files_ && idle.count() < options_.idle_s)
      throw Refusal(429, "there are too many conversations",
                    static_cast<int>(std::ceil(options_.idle_s - idle.count())));
    sessions_.erase(oldest);
  }
}

std::string Sessions::create(std::string_view model, std::uint64_t seed) {
  auto session = std::make_shared<Session>();
  session->record = {
      {"model", models_.full_name(model)}, {"seed", seed}, {"memory", nullptr}, {"log", Json::array()}};
  std::string id = new_session_id();
  {
    const std::lock_guard lock(mutex_);
    make_room();
  }
  if (files_) {
    files_->write(id, session->record);
    session->stamp = files_->stamp(id);
  }
  const std::lock_guard lock(mutex_);
  sessions_[id] = std::move(session);
  return id;
}

Json Sessions::turn(const std::string& id, const Json& action) {
  const std::string text = action_text(action);
  return with(id, [&](Session& session) {
    if (session.record["log"].size() >= options_.most_turns)
      throw Refusal(409, "this conversation has had its turns; begin another");
    const Conversation::Reply reply = act(*session.live, action);
    Json out = {{"say", text}, {"said", said(reply)}, {"reply", shown(reply)}, {"over", reply.over}};
    out.update(standing_as_json(session.live->standing()));
    Json entry = out;
    entry.erase("plan");
    entry.erase("offered");
    session.record["log"].push_back(std::move(entry));
    out["turns"] = session.record["log"].size();
    keep(id, session);
    events_.tell(id, event_text("turn", out));
    return out;
  });
}

Json Sessions::as_it_stands(const std::string& id, const Session& session) {
  Json out = {{"id", id}, {"model", session.record["model"]}, {"log", session.record["log"]}};
  out.update(standing_as_json(session.live->standing()));
  return out;
}

Json Sessions::view(const std::string& id) {
  return with(id, [&](Session& session) { return as_it_stands(id, session); });
}

Json Sessions::rewind(const std::string& id, std::size_t turns) {
  return with(id, [&](Session& session) {
    Json& log = session.record["log"];
    if (turns >= log.size()) return as_it_stands(id, session);
    const auto steps_of = [](const Json& entry) { return entry.value("steps", std::size_t{0}); };
    const std::size_t goal = turns == 0 ? 0 : steps_of(log[turns - 1]);
    for (std::size_t i = turns; i < log.size(); ++i)
      if (steps_of(log[i]) < goal || !log[i].contains("steps"))
        throw Refusal(409, "the conversation was taken back behind this turn already; begin another");
    for (std::size_t steps = session.live->standing().steps; steps > goal; --steps)
      (void)session.live->answer("/undo");
    log.erase(log.begin() + static_cast<std::ptrdiff_t>(turns), log.end());
    keep(id, session);
    Json out = as_it_stands(id, session);
    events_.tell(id, event_text("session", out));
    return out;
  });
}

Json Sessions::transcript(const std::string& id) {
  return with(id, [&](Session& session) {
    Json out = {{"id", id}, {"model", session.record["model"]}};
    out.update(session.live->transcript());
    return out;
  });
}

void Sessions::remove(const std::string& id) {
  with(id, [&](Session& session) {
    session.removed = true;
    if (files_) files_->remove(id);
    return 0;
  });
  events_.forget(id);
  const std::lock_guard lock(mutex_);
  sessions_.erase(id);
}

// A conversation in the middle of a turn notices at its next one.
void Sessions::sleep(const std::string& model) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, session] : sessions_) {
    if (!session->free.try_acquire()) continue;
    const Release release(session->free);
    if (!session->live || session->record.is_null() || session->record["model"] != model) continue;
    session->record["memory"] = session->live->memory();
    session->live.reset();
    session->model.reset();
  }
}

std::size_t Sessions::size() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace kgwalk::server
