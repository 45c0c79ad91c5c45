// What opening a database for writing throws while another writer has it.
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
