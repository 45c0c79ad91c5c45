// Sees edits of the databases that are served, by whichever process, and has their models opened anew.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "server/state/model_shelf.h"

namespace kgwalk::server {

class EditWatch {
 public:
  // `told` gets what went wrong, each once. Both must outlive the object.
  EditWatch(ModelShelf& models, std::function<void(const std::string&)> told)
      : models_(models), told_(std::move(told)) {}

  // Looks once, which reads a small file a model. To be called every kPeriod, by one thread.
  void look();
  static constexpr std::chrono::milliseconds kPeriod{200};

 private:
  using Clock = std::chrono::steady_clock;
  // A notice of which nothing came yet: its writer is about to write, has died, or the model cannot be opened
  // on what it wrote. Looks become seldom then.
  struct Awaited {
    std::uint64_t notice = 0;
    Clock::time_point next = {};
    Clock::duration pause = kPeriod;
  };
  [[nodiscard]] bool is_behind(const Model& model);

  ModelShelf& models_;
  std::function<void(const std::string&)> told_;
  std::map<std::string, Awaited> awaited_;  // by model
  std::string last_problem_;
};

}  // namespace kgwalk::server
