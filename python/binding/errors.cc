#include "python/binding/errors.h"

#include <pybind11/stl.h>

#include <string>

#include "kgwalk/error.h"

namespace kgwalk::python {
namespace {

const char* word_of(Remedy::Action action) {
  switch (action) {
    case Remedy::kIngest:
      return "ingest";
    case Remedy::kReingest:
      return "reingest";
    case Remedy::kReplace:
      return "replace";
    case Remedy::kIndexDistances:
      return "index_distances";
    case Remedy::kFactorizeDistances:
      return "factorize_distances";
    case Remedy::kEmbed:
      return "embed";
    case Remedy::kTrain:
      return "train";
    case Remedy::kGive:
      return "give";
    case Remedy::kComputeOn:
      return "compute_on";
  }
  return "";
}

// Bytes of a file that are no UTF-8 may stand in a message.
py::str shown_text(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::object exception_of(const char* name, const Error& error) {
  const py::module_ errors = py::module_::import("kgwalk.errors");
  py::object exception = errors.attr(name)(shown_text(error.what()));
  py::list remedies;
  for (const Remedy& remedy : error.remedies()) {
    py::list arguments;
    for (const auto& [key, value] : remedy.arguments)
      arguments.append(py::make_tuple(shown_text(key), shown_text(value)));
    remedies.append(errors.attr("Remedy")(word_of(remedy.action), shown_text(remedy.subject), arguments));
  }
  exception.attr("remedies") = remedies;
  return exception;
}

// Null for an error that is none of ours.
py::object exception_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DataError& e) {
    py::object exception = exception_of("DataError", e);
    exception.attr("file") = shown_text(e.file());
    exception.attr("line") = e.line();
    return exception;
  } catch (const ConfigError& e) {
    return exception_of("ConfigError", e);
  } catch (const StoreError& e) {
    return exception_of("StoreError", e);
  } catch (const ShapeError& e) {
    return exception_of("ShapeError", e);
  } catch (const FormatError& e) {
    return exception_of("FormatError", e);
  } catch (const IoError& e) {
    return exception_of("IoError", e);
  } catch (const Interrupted& e) {
    return exception_of("Interrupted", e);
  } catch (const Stopped& e) {
    return exception_of("Stopped", e);
  } catch (const NumericError& e) {
    return exception_of("NumericError", e);
  } catch (const Error& e) {
    return exception_of("Error", e);
  } catch (...) {
    return {};
  }
}

}  // namespace

void translate_errors() {
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const Error&) {
      const py::object exception = exception_of(error);
      PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    }
  });
}

void set_cause(const std::exception_ptr& error) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (py::object cause = exception_of(error)) PyException_SetCause(value, cause.release().ptr());
  PyErr_Restore(type, value, trace);
}

void check_id(std::int64_t id, std::uint64_t count, const char* what) {
  if (id >= 0 && static_cast<std::uint64_t>(id) < count) return;
  const std::string range = count == 0 ? "there are none" : "ids are 0 to " + std::to_string(count - 1);
  throw py::index_error(std::string(what) + " " + std::to_string(id) + ": " + range);
}

}  // namespace kgwalk::python
