// The words by which people order, compare and ask by values. Answers are told by the same ones.
#pragma once

#include "dialogue/telling/measures.h"

namespace kgwalk::listening {

using dialogue::measure_of;
using dialogue::measure_table;
using dialogue::MeasureWords;

}  // namespace kgwalk::listening
