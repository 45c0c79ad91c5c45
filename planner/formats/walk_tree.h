// The walk of a plan or of a turn as a tree, and its drawing.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/plan.h"

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

// Inline SVG, left to right: edge width is probability, branches not taken are faded.
[[nodiscard]] std::string walk_tree_svg(const WalkTree& tree);

}  // namespace kgwalk
