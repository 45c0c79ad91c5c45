// The models of a server by name: loaded when they are first asked for, as many at once as memory is given
// for; then the least used leaves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/state/model.h"

namespace kgwalk::server {

class ModelShelf {
 public:
  using Open = std::function<std::shared_ptr<const Model>(const ModelSource&)>;

  // At least one source, of different names (ConfigError). `most`: models in memory at once, from 1.
  ModelShelf(std::vector<ModelSource> sources, std::size_t most, Open open);

  // The model of this name, the first where it is empty. Refusal (404) names those that there are. What
  // opening throws comes through; the next request tries again. Thread-safe: while one loads, others are
  // given out.
  [[nodiscard]] std::shared_ptr<const Model> get(std::string_view name);
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<ModelSource> sources() const;
  [[nodiscard]] std::string full_name(
      std::string_view name) const;  // the first's where it is empty; Refusal (404)
  // Seconds since 1970 when this model was made, by its run; 0 where that is not told. It need not be loaded.
  [[nodiscard]] std::int64_t made_at(std::string_view name) const;
  [[nodiscard]] std::size_t num_loaded() const;
  // Called with the name of each model that leaves: who holds it should let go too. Not thread-safe: before
  // all else.
  void when_one_leaves(std::function<void(const std::string&)> told) { told_ = std::move(told); }
  // Takes these sources in place of those before: what was in memory is opened anew, and until then answers
  // as before, so both are in memory for a while. One that cannot be opened stays as it was. Returns what
  // went wrong with which, none when all went well. ConfigError, and nothing has changed, for what the
  // constructor refuses.
  [[nodiscard]] std::vector<std::string> reload(std::vector<ModelSource> sources);
  // Opens those anew of the models in memory that are behind their databases; until then, and where that goes
  // wrong, they answer as before. Who holds one of before keeps it. Returns what went wrong with which.
  std::vector<std::string> renew(const std::function<bool(const Model&)>& is_behind);
  // Held by who changes a database.
  [[nodiscard]] std::mutex& writing() { return writing_; }

 private:
  struct Place {
    ModelSource source;  // never changes
    std::mutex opening;
    std::shared_ptr<const Model> model;  // guarded by mutex_
    std::uint64_t used = 0;
  };
  using Places = std::vector<std::shared_ptr<Place>>;
  [[nodiscard]] static Places places_of(std::vector<ModelSource> sources);
  [[nodiscard]] Places places() const;  // as they are now
  [[nodiscard]] std::shared_ptr<Place> place(std::string_view name) const;
  [[nodiscard]] bool is_loaded(const Place& place) const;
  [[nodiscard]] std::shared_ptr<const Model> loaded(const Place& place) const;  // null where it is not
  [[nodiscard]] std::vector<std::string> make_room(const Place& keep);

  Places places_;  // guarded by mutex_
  std::size_t most_;
  Open open_;
  std::function<void(const std::string&)> told_ = [](const std::string&) {};
  mutable std::mutex mutex_;
  std::mutex writing_;
  std::uint64_t clock_ = 0;
};

}  // namespace kgwalk::server
