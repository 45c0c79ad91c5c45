// What opening a database for writing throws while another writer has it.
#pragma once

#include "kgwalk/error.h"

namespace kgwalk::graph {

// Another process writes the database, or another thread of this one: nothing of it is lost, try again.
class BusyError : public StoreError {
 public:
  using StoreError::StoreError;
};

}  // namespace kgwalk::graph
