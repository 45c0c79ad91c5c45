#include "python/model/history.h"

#include <pybind11/stl.h>

#include "python/binding/text.h"

namespace kgwalk::python {
namespace py = pybind11;

namespace {

[[noreturn]] void wrong(const char* what, const py::handle& given) {
  throw py::type_error(std::string(what) + ", not " + py::repr(given).cast<std::string>());
}

bool is_pair_of_text(const py::handle& item) {
  return (py::isinstance<py::tuple>(item) || py::isinstance<py::list>(item)) && py::len(item) == 2 &&
         py::isinstance<py::str>(item[py::int_(0)]) && py::isinstance<py::str>(item[py::int_(1)]);
}

}  // namespace

History history_of(const py::handle& given) {
  constexpr const char* kWanted = "history: must be a text or (speaker, text) pairs";
  if (given.is_none()) wrong(kWanted, given);
  if (py::isinstance<py::str>(given)) return {{{"user", text_of(given)}}};
  if (!py::isinstance<py::sequence>(given) || py::isinstance<py::bytes>(given)) wrong(kWanted, given);
  History history;
  for (const py::handle item : given) {
    if (py::isinstance<Utterance>(item)) {
      history.utterances.push_back(item.cast<Utterance>());
    } else if (is_pair_of_text(item)) {
      history.utterances.push_back(
          {text_of(py::object(item[py::int_(0)])), text_of(py::object(item[py::int_(1)]))});
    } else {
      wrong(kWanted, item);
    }
  }
  return history;
}

GivenHop hop_of(const py::handle& given) {
  if (py::isinstance<NamedHop>(given)) return {given.cast<NamedHop>()};
  if (py::isinstance<PlannedHop>(given)) {
    const auto hop = given.cast<PlannedHop>();
    return {{.head = hop.head, .relation = hop.relation, .tail = hop.tail}};
  }
  if ((py::isinstance<py::tuple>(given) || py::isinstance<py::list>(given)) && py::len(given) == 3) {
    bool all_text = true;
    for (const py::handle part : given) all_text = all_text && py::isinstance<py::str>(part);
    if (all_text)
      return {{.head = text_of(py::object(given[py::int_(0)])),
               .relation = text_of(py::object(given[py::int_(1)])),
               .tail = text_of(py::object(given[py::int_(2)]))}};
  }
  wrong("hop: must be (head, relation, tail)", given);
}

}  // namespace kgwalk::python
