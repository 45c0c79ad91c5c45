// Who speaks for the user while a walker walks: the trained simulator (rl/simulator/user_simulator.h),
// utterances that were given, or nobody. Torch-free.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/random.h"
#include "walker/example.h"

namespace kgwalk::rl {

class UserVoice {
 public:
  virtual ~UserVoice() = default;

  // What the user says in each situation, one utterance each, possibly empty. A situation's `start` is the
  // entity talked about now (v_c of thesis 5.3.4), `context` what was said before, `walked` the path so
  // far. The same situations and state of `random` give the same words. Thread-safe when each thread has
  // its own `random`.
  [[nodiscard]] virtual std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                                       Random& random) const = 0;
  // Checksum of what decides the words; a run remembers it.
  [[nodiscard]] virtual std::string checksum() const = 0;
};

// Nobody speaks: walking from the path history alone.
class SilentUser : public UserVoice {
 public:
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override;
  [[nodiscard]] std::string checksum() const override { return "none"; }
};

// Says what was given, one utterance a turn (an empty one is silence); afterwards `then` speaks,
// which is borrowed.
class ScriptedUser : public UserVoice {
 public:
  ScriptedUser(std::vector<std::string> script, const UserVoice& then)
      : script_(std::move(script)), then_(then) {}
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override;
  [[nodiscard]] std::string checksum() const override;

 private:
  std::vector<std::string> script_;  // by the number of paths walked so far
  const UserVoice& then_;
};

}  // namespace kgwalk::rl
