// The html form of a plan (declared in plan_format.h) and the tree it draws.
#pragma once

#include <string>
#include <vector>

#include "walker/planner.h"

namespace kgwalk {

// The walk as a tree: the planned paths first, then what was weighed and rejected.
struct WalkTree {
  struct Node {
    PlannedHop hop;       // of the edge that leads here; the root has only `tail`
    bool chosen = false;  // on one of the planned paths
    std::vector<Node> children;
  };
  Node root;
  // `rejected_per_branch` candidates that are on no planned path are kept at each branch.
  [[nodiscard]] static WalkTree of(const Plan& plan, std::size_t rejected_per_branch);
  [[nodiscard]] std::size_t num_leaves() const;
};

[[nodiscard]] std::string walk_tree_svg(const WalkTree& tree);

}  // namespace kgwalk
