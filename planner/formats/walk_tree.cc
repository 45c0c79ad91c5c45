#include "planner/formats/walk_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/plot.h"

namespace kgwalk {
namespace {

constexpr double kRowHeight = 34;
constexpr double kColumnWidth = 330;
constexpr double kNodeHeight = 24;
constexpr double kNodeWidth = 170;

WalkTree::Node& child_for(WalkTree::Node& node, const PlannedHop& hop, bool& fresh) {
  for (WalkTree::Node& child : node.children) {
    if (child.hop.relation == hop.relation && child.hop.tail == hop.tail) {
      fresh = false;
      return child;
    }
  }
  fresh = true;
  return node.children.emplace_back(WalkTree::Node{hop, false, {}});
}

// The node that `prefix` leads to, or nullptr when it is not drawn.
WalkTree::Node* find(WalkTree::Node& root, const std::vector<PlannedHop>& prefix) {
  WalkTree::Node* node = &root;
  for (const PlannedHop& hop : prefix) {
    const auto it = std::find_if(node->children.begin(), node->children.end(), [&](const WalkTree::Node& c) {
      return c.hop.relation == hop.relation && c.hop.tail == hop.tail;
    });
    if (it == node->children.end()) return nullptr;
    node = &*it;
  }
  return node;
}

std::size_t leaves(const WalkTree::Node& node) {
  if (node.children.empty()) return 1;
  std::size_t sum = 0;
  for (const WalkTree::Node& child : node.children) sum += leaves(child);
  return sum;
}

std::size_t depth(const WalkTree::Node& node) {
  std::size_t deepest = 0;
  for (const WalkTree::Node& child : node.children) deepest = std::max(deepest, 1 + depth(child));
  return deepest;
}

std::string clipped(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;  // never inside a character
  return std::string(text.substr(0, end)) + "…";
}

class TreeDrawing {
 public:
  std::string draw(const WalkTree& tree) {
    place(tree.root, 0, 0, nullptr);
    const double height = kRowHeight * static_cast<double>(leaves(tree.root)) + 20;
    const double width = kColumnWidth * static_cast<double>(depth(tree.root)) + kNodeWidth + 20;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"planned walk\" "
        "width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"system-ui,sans-serif\" "
        "font-size=\"12\">"
        "{2}{3}</svg>",
        width, height, edges_, nodes_);
  }

 private:
  struct Point {
    double x, y;
  };

  void place(const WalkTree::Node& node, std::size_t column, double top, const Point* parent) {
    const Point at{10 + kColumnWidth * static_cast<double>(column),
                   top + kRowHeight * static_cast<double>(leaves(node)) / 2 + 10};
    if (parent) draw_edge(node, *parent, at);
    draw_node(node, at, parent == nullptr);
    for (const WalkTree::Node& child : node.children) {
      place(child, column + 1, top, &at);
      top += kRowHeight * static_cast<double>(leaves(child));
    }
  }

  void draw_edge(const WalkTree::Node& node, Point from, Point to) {
    const double x1 = from.x + kNodeWidth, middle = x1 + 36;  // flat where the label stands
    edges_ += fmt::format(
        "<path d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
        "stroke=\"#2f6fb5\" "
        "stroke-width=\"{:.2f}\" opacity=\"{}\"/>",
        x1, from.y, middle, from.y, middle, to.y, to.x, to.y, 0.8 + 11 * node.hop.probability,
        node.chosen ? "0.85" : "0.22");
    nodes_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#44505f\" font-size=\"11\" "
        "stroke=\"#fff\" "
        "stroke-width=\"3\" paint-order=\"stroke\" opacity=\"{}\">"
        "<title>{}</title>{} {:.1f}%</text>",
        to.x - 6, to.y - 5, node.chosen ? "1" : "0.45", escape_xml(node.hop.relation),
        escape_xml(clipped(node.hop.relation, 20)), 100 * node.hop.probability);
  }

  void draw_node(const WalkTree::Node& node, Point at, bool root) {
    nodes_ += fmt::format(
        "<g opacity=\"{}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
        "rx=\"6\" "
        "fill=\"{}\" stroke=\"#2f6fb5\"/><text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text></g>",
        node.chosen || root ? "1" : "0.4", escape_xml(node.hop.tail), at.x, at.y - kNodeHeight / 2,
        kNodeWidth, kNodeHeight, root ? "#2f6fb5" : "#fff", at.x + 8, at.y + 4, root ? "#fff" : "#1c2430",
        escape_xml(clipped(node.hop.tail, 25)));
  }

  std::string edges_, nodes_;  // edges lie under nodes
};

}  // namespace

WalkTree WalkTree::of(const Plan& plan, std::size_t rejected_per_branch) {
  WalkTree tree;
  tree.root.hop.tail = plan.request.start;
  tree.root.chosen = true;
  bool fresh = false;
  for (const PlannedPath& path : plan.paths) {
    Node* node = &tree.root;
    for (const PlannedHop& hop : path.hops) {
      node = &child_for(*node, hop, fresh);
      node->chosen = true;
    }
  }
  for (const PlanBranch& branch : plan.branches) {
    Node* node = find(tree.root, branch.prefix);
    if (!node) continue;
    std::size_t kept = 0;
    for (const PlannedHop& hop : branch.candidates) {
      if (kept == rejected_per_branch) break;
      child_for(*node, hop, fresh);
      kept += fresh;
    }
  }
  return tree;
}

std::size_t WalkTree::num_leaves() const { return leaves(root); }

std::string walk_tree_svg(const WalkTree& tree) { return TreeDrawing().draw(tree); }

}  // namespace kgwalk
