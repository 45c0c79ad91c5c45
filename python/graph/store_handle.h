// kgwalk.Store: a database that Python can close.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::python {

class StoreHandle {
 public:
  explicit StoreHandle(graph::Store store)
      : path_(store.path()), store_(std::make_shared<graph::Store>(std::move(store))) {}

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool closed() const noexcept { return store_ == nullptr; }
  // A call that is under way in another thread keeps the database open to its end.
  void close() noexcept { store_.reset(); }

  // StoreError when it is closed. Called with the interpreter's lock; what it returns is kept by the call.
  [[nodiscard]] std::shared_ptr<graph::Store> open_store() const {
    if (!store_) throw StoreError(path_.string() + ": the store is closed; open it again");
    return store_;
  }

 private:
  std::filesystem::path path_;
  std::shared_ptr<graph::Store> store_;
};

}  // namespace kgwalk::python
