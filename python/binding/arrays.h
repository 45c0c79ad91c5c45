// Memory of the engine as arrays of numpy's: views keep what they look at alive, and cannot be written.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace kgwalk::python {

namespace py = pybind11;

// owner: kept alive by the array.
template <class T>
py::array_t<T> view_of(std::span<const T> values, const py::handle& owner) {
  py::array_t<T> array({static_cast<py::ssize_t>(values.size())}, {static_cast<py::ssize_t>(sizeof(T))},
                       values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// [rows, columns], rows `stride` elements apart.
template <class T>
py::array_t<T> view_of(const T* values, std::size_t rows, std::size_t columns, std::size_t stride,
                       const py::handle& owner) {
  py::array_t<T> array({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)},
                       {static_cast<py::ssize_t>(stride * sizeof(T)), static_cast<py::ssize_t>(sizeof(T))},
                       values, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// Takes the numbers over: nothing is copied, and the array owns them.
template <class T>
py::array_t<T> array_of(std::vector<T>&& values, std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const T* data = kept->data();
  const py::capsule owner(kept.release(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(std::move(shape), data, owner);
}

template <class T>
py::array_t<T> array_of(std::vector<T>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

}  // namespace kgwalk::python
