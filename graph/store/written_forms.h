// Literals as facts have them, where several are one entity: "Rome"@en, "Rome"@it and "rome" are one thing to
// talk about, and an export writes each as it was.
#pragma once

#include "kgwalk/values.h"

namespace kgwalk::graph {

// A text of a fact's head, under the fact's relation: the literal that the fact leads to, as it was written.
// Facts whose literal is the id of its entity have none. It is a role beside the public ones: exports alone
// ask for it.
inline constexpr ValueRole kWrittenRole{5};

}  // namespace kgwalk::graph
