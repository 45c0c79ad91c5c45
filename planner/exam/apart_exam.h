// An exam of single questions about a graph, in the wordings of data/questions_apart.txt, which nothing is
// learned from: what quickstart measures a model by. Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/typed_values.h"
#include "planner/exam/exam.h"

namespace kgwalk {

struct ApartExam {
  Exam exam;                     // kinds "one thing", "a list", "yes or no"
  std::size_t relations = 0;     // that have wordings there, of
  std::size_t of_relations = 0;  // all that have facts
};

// At most `count` questions, as many of each relation as of another as far as it has facts. Entities whose
// names are those of several are not asked about. Deterministic by the seed.
[[nodiscard]] ApartExam apart_exam(const graph::TypedValues& values, std::size_t count, std::uint64_t seed);

}  // namespace kgwalk
