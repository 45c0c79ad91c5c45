#include "capi/errors.h"

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/json.h"

namespace kgwalk::capi {
namespace {

// The text, or where there is no memory for it one that needs none.
thread_local std::string kept;
thread_local const char* told = "";

kgwalk_status keep(kgwalk_status status, const char* text) noexcept {
  try {
    kept = text;
    told = kept.c_str();
  } catch (...) {
    told = "out of memory";
  }
  return status;
}

// LibTorch puts stack traces behind the first line.
kgwalk_status keep_first_line(kgwalk_status status, const char* before, const char* text) noexcept {
  try {
    const std::string whole = text;
    return keep(status, (before + whole.substr(0, whole.find('\n'))).c_str());
  } catch (...) {
    return keep(status, "out of memory");
  }
}

}  // namespace

// Derived classes of Error first, then what else is known.
kgwalk_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const Misuse& error) {
    return keep(KGWALK_MISUSE, error.what());
  } catch (const WrongVersion& error) {
    return keep(KGWALK_VERSION_ERROR, error.what());
  } catch (const ConfigError& error) {
    return keep(KGWALK_INVALID, error.what());
  } catch (const DataError& error) {
    return keep(KGWALK_DATA_ERROR, error.what());
  } catch (const StoreError& error) {
    return keep(KGWALK_STORE_ERROR, error.what());
  } catch (const FormatError& error) {
    return keep(KGWALK_FORMAT_ERROR, error.what());
  } catch (const IoError& error) {
    return keep(KGWALK_IO_ERROR, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return keep(KGWALK_IO_ERROR, error.what());
  } catch (const nlohmann::json::exception& error) {
    return keep_first_line(KGWALK_INVALID, "the JSON cannot be used: ", error.what());
  } catch (const std::bad_alloc&) {
    return keep(KGWALK_NO_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return keep_first_line(KGWALK_INTERNAL, "internal error: ", error.what());
  } catch (...) {
    return keep(KGWALK_INTERNAL, "internal error of an unknown kind");
  }
}

const char* last_error() noexcept { return told; }

}  // namespace kgwalk::capi
