// The kinds of run that spoken language understanding makes, one a step.
#pragma once

#include "runtime/run_manifest.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kTeacherRun{.name = "task-slu-text", .command = "task slu text", .parts = {"text"}};
inline constexpr RunKind kSpeechEncoderRun{
    .name = "task-slu-pretrain", .command = "task slu pretrain", .parts = {"speech"}};
inline constexpr RunKind kAlignRun{.name = "task-slu-align", .command = "task slu align", .parts = {"align"}};
inline constexpr RunKind kUnderstandingRun{
    .name = "task-slu", .command = "task slu train", .parts = {"understanding"}};

}  // namespace kgwalk::seq2seq
