// KnowledgeGraph as a Boost.Graph model, so that Boost's algorithms run on it unchanged: VertexListGraph and
// IncidenceGraph, directed, parallel edges allowed. Include it where such an algorithm runs; the graph itself
// does not need it.
//
// Example:
//   const std::vector<kgwalk::graph::NamedTriple> facts = {{"Iron Man", "directed_by", "Jon Favreau"}};
//   const auto graph = kgwalk::graph::KnowledgeGraph::from_triples(facts);
//   for (const auto [at, end] = vertices(graph); const auto vertex : std::vector(at, end))
//     for (auto [edge, last] = out_edges(vertex, graph); edge != last; ++edge)
//       std::cout << source(*edge, graph) << " -> " << target(*edge, graph) << '\n';
//
// examples/graph_algorithms.cc runs Dijkstra's algorithm and connected components.
//
// Vertices are entity ids from 0, so boost::identity_property_map (or a typed one) is their index map. An
// edge is its source and its position among all edges; edge_of() gives relation and tail. Since every fact
// has its inverse, what an algorithm finds on the directed graph holds for the undirected one.
//
// Nothing is copied or allocated: descriptors and iterators borrow nothing and are valid as long as the graph
// they came from. Ids must be below num_entities(); this is not checked. Thread-safe, as the graph is.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstdint>
#include <utility>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// One directed edge, told from its parallel ones.
struct EdgeDescriptor {
  EntityId source = 0;
  std::uint64_t index = 0;  // in KnowledgeGraph::edges(), 0 to num_edges() - 1
  friend bool operator==(const EdgeDescriptor&, const EdgeDescriptor&) = default;
};

// Over the edges of one source in the order of KnowledgeGraph::out_edges().
class OutEdgeIterator : public boost::iterator_facade<OutEdgeIterator, EdgeDescriptor,
                                                      boost::random_access_traversal_tag, EdgeDescriptor> {
 public:
  OutEdgeIterator() = default;
  OutEdgeIterator(EntityId source, std::uint64_t index) : edge_{source, index} {}

 private:
  friend class boost::iterator_core_access;
  [[nodiscard]] EdgeDescriptor dereference() const { return edge_; }
  [[nodiscard]] bool equal(const OutEdgeIterator& other) const { return edge_ == other.edge_; }
  void increment() { ++edge_.index; }
  void decrement() { --edge_.index; }
  void advance(difference_type n) { edge_.index += static_cast<std::uint64_t>(n); }
  [[nodiscard]] difference_type distance_to(const OutEdgeIterator& other) const {
    return static_cast<difference_type>(other.edge_.index - edge_.index);
  }
  EdgeDescriptor edge_;
};

struct BoostTraversal : public virtual boost::incidence_graph_tag,
                        public virtual boost::vertex_list_graph_tag {};

// Relation and tail of an edge.
[[nodiscard]] inline Edge edge_of(const EdgeDescriptor& edge, const KnowledgeGraph& graph) {
  return graph.edge(edge.index);
}

// The free functions that Boost finds by argument-dependent look-up. Vertices include names without edges.
[[nodiscard]] inline EntityId num_vertices(const KnowledgeGraph& graph) { return graph.num_entities(); }

[[nodiscard]] inline auto vertices(const KnowledgeGraph& graph) {
  using Iterator = boost::counting_iterator<EntityId>;
  return std::pair<Iterator, Iterator>(Iterator(0), Iterator(graph.num_entities()));
}

[[nodiscard]] inline std::size_t out_degree(EntityId vertex, const KnowledgeGraph& graph) {
  return graph.out_edges(vertex).size();
}

[[nodiscard]] inline std::pair<OutEdgeIterator, OutEdgeIterator> out_edges(EntityId vertex,
                                                                           const KnowledgeGraph& graph) {
  const std::uint64_t first = graph.first_edge(vertex);
  return {OutEdgeIterator(vertex, first), OutEdgeIterator(vertex, first + graph.out_edges(vertex).size())};
}

[[nodiscard]] inline EntityId source(const EdgeDescriptor& edge, const KnowledgeGraph&) {
  return edge.source;
}
[[nodiscard]] inline EntityId target(const EdgeDescriptor& edge, const KnowledgeGraph& graph) {
  return edge_of(edge, graph).tail;
}

[[nodiscard]] inline boost::typed_identity_property_map<EntityId> get(boost::vertex_index_t,
                                                                      const KnowledgeGraph&) {
  return {};
}

}  // namespace kgwalk::graph

namespace boost {

template <>
struct graph_traits<kgwalk::graph::KnowledgeGraph> {
  using vertex_descriptor = kgwalk::graph::EntityId;
  using edge_descriptor = kgwalk::graph::EdgeDescriptor;
  using directed_category = directed_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using traversal_category = kgwalk::graph::BoostTraversal;
  using vertex_iterator = counting_iterator<kgwalk::graph::EntityId>;
  using out_edge_iterator = kgwalk::graph::OutEdgeIterator;
  using vertices_size_type = kgwalk::graph::EntityId;
  using edges_size_type = std::uint64_t;
  using degree_size_type = std::size_t;
  [[nodiscard]] static vertex_descriptor null_vertex() { return 0xffffffffu; }
};

template <>
struct property_map<kgwalk::graph::KnowledgeGraph, vertex_index_t> {
  using type = typed_identity_property_map<kgwalk::graph::EntityId>;
  using const_type = type;
};

}  // namespace boost
