// The device that networks compute on.
//
// Example:
//   kgwalk::set_device("cuda");  // and then Planner::open and the like
//
// Walkers, text encoders and the models of the other tasks compute there, in training and in use. The graph,
// its distances, TransE, features, searches and audio stay on the processor, and whatever is written to disk
// knows no device: a model that was trained on one opens on another.
#pragma once

#include <string_view>

namespace kgwalk {

// Sets where models compute that are opened or trained from now on; the processor without a call. Of the
// process, as the number of threads is: call it once, early in main, before other threads call into kgwalk.
//
// name: "cpu", "cuda" (the first), "cuda:N", or "privateuseone" where an extension of LibTorch registers a
//       device of that name. ConfigError when LibTorch has no such device here.
void set_device(std::string_view name);

}  // namespace kgwalk
