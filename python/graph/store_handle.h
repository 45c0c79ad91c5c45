// kgwalk.Store: a database that Python can close. It belongs to the process that opened it: what writes it in
// the background is not in a forked child, which must neither use nor close it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::python {

class StoreHandle {
 public:
  explicit StoreHandle(graph::Store store)
      : path_(store.path()),
        process_(::getpid()),
        store_(new graph::Store(std::move(store)), [process = process_](graph::Store* kept) {
          if (::getpid() == process) delete kept;
        }) {}

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool closed() const noexcept { return store_ == nullptr; }
  // A call that is under way in another thread keeps the database open to its end.
  void close() noexcept { store_.reset(); }

  // StoreError when it is closed, or was opened before a fork. Called with the interpreter's lock; what it
  // returns is kept by the call.
  [[nodiscard]] std::shared_ptr<graph::Store> open_store() const {
    if (!store_) throw StoreError(path_.string() + ": the store is closed; open it again");
    if (::getpid() != process_)
      throw StoreError(path_.string() + ": the store was opened before a fork; open it again in the child");
    return store_;
  }

 private:
  std::filesystem::path path_;
  pid_t process_;
  std::shared_ptr<graph::Store> store_;
};

}  // namespace kgwalk::python
