// A walker on a graph that it was not trained on.
//
// What a walker hears is read from words: of what was said, of relations and of what they lead to. That goes
// with it. Its habits do not: vectors of entities, biases of relations, counts and words of the training
// dialogues belong to the graph it was trained on. On another graph every edge is as likely as any other
// until something is asked.
#pragma once

#include <memory>
#include <string>

#include "kgwalk/store.h"
#include "runtime/run_folder.h"
#include "walker/model.h"
#include "walker/network/text_source.h"
#include "walker/training/run.h"

namespace kgwalk::walker {

[[nodiscard]] bool is_of_another_graph(const graph::Store& store, const RunFolder& run);

// ConfigError when the walker cannot do without its own graph: one that does not listen, knows relations by
// their numbers, or heads for goals by its own tables (stage 2). FormatError when `text` is not the encoder
// that it was trained with, or the checkpoint does not fit.
[[nodiscard]] std::unique_ptr<WalkModel> open_on_other_graph(const graph::Store& store, const WalkerRun& run,
                                                             std::shared_ptr<const TextSource> text,
                                                             const std::string& checkpoint = "best");

}  // namespace kgwalk::walker
