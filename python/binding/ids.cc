#include "python/binding/ids.h"

#include <pybind11/numpy.h>

#include <string>

#include "python/binding/errors.h"

namespace kgwalk::python {
namespace {

std::vector<std::uint32_t> checked(const py::array_t<std::int64_t>& ids, std::uint64_t count,
                                   const char* what) {
  std::vector<std::uint32_t> result;
  result.reserve(static_cast<std::size_t>(ids.size()));
  for (py::ssize_t i = 0; i < ids.size(); ++i) {
    check_id(ids.at(i), count, what);
    result.push_back(static_cast<std::uint32_t>(ids.at(i)));
  }
  return result;
}

}  // namespace

void find_numpy() { (void)py::dtype::of<std::int64_t>(); }

std::vector<std::uint32_t> ids_of(const py::object& given, std::uint64_t count, const char* what) {
  const std::string name(what);
  if (py::isinstance<py::str>(given) || py::isinstance<py::int_>(given) || given.is_none())
    throw py::type_error(name + " ids: must be a sequence of whole numbers");
  py::array array = py::array::ensure(given);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(name + " ids: must be a sequence of whole numbers");
  }
  if (array.ndim() != 1)
    throw py::value_error(name + " ids: must have one dimension, not " + std::to_string(array.ndim()));
  if (array.size() == 0) return {};
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u')
    throw py::type_error(name + " ids: must be whole numbers, not " +
                         py::str(array.dtype()).cast<std::string>());
  return checked(py::array_t<std::int64_t, py::array::forcecast>(array), count, what);
}

}  // namespace kgwalk::python
