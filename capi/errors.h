// What became of a call from C: a status, and a sentence that is kept for the thread.
#pragma once

#include <stdexcept>
#include <utility>

#include "kgwalk.h"

namespace kgwalk::capi {

// The caller broke the rules of kgwalk.h.
class Misuse : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// The caller was compiled for another library.
class WrongVersion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Keeps the sentence of the exception that is being handled, and returns what it is for C.
[[nodiscard]] kgwalk_status status_of_exception() noexcept;

// The sentence kept last by this thread.
[[nodiscard]] const char* last_error() noexcept;

// Runs what a function of C does. Nothing is thrown beyond it.
template <class Body>
[[nodiscard]] kgwalk_status guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return KGWALK_OK;
  } catch (...) {
    return status_of_exception();
  }
}

// The same for a function that returns a value; `otherwise` where it fails.
template <class Value, class Body>
[[nodiscard]] Value guarded_value(Value otherwise, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    (void)status_of_exception();
    return otherwise;
  }
}

}  // namespace kgwalk::capi
