// What opening a database throws while another writer has it, or changes it faster than it can be read.
//
// Example:
//   #include "kgwalk/store.h"
//
//   try {
//     const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadWrite);
//   } catch (const kgwalk::graph::BusyError& error) {
//     std::cerr << error.what() << '\n';  // try again when the other writer is done
//   }
#pragma once

#include "kgwalk/error.h"

namespace kgwalk::graph {

// Another process writes the database, or another thread of this one: nothing of it is lost, try again.
class BusyError : public StoreError {
 public:
  using StoreError::StoreError;
};

}  // namespace kgwalk::graph
