// Writes a graph in Graphviz's DOT language.
#include <fstream>
#include <map>
#include <string>

#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/graphs.hpp"

namespace heddle_host::api {
namespace {

using stream::graph;
using stream::node;

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "CHILD GRAPH";
    case cudaGraphNodeTypeWaitEvent:
      return "WAIT EVENT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT RECORD";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    default:
      return "EMPTY";
  }
}

std::string quoted(const std::string& text) {
  std::string safe;
  for (const char each : text) {
    if (each == '"' || each == '\\') safe += '\\';
    safe += each;
  }
  return '"' + safe + '"';
}

// Child graphs and bodies of conditional nodes become separate clusters.
class drawing {
 public:
  explicit drawing(std::ostream& out) : out_(out) {}

  void draw(const graph& what) {
    const unsigned number = clusters_++;
    out_ << "subgraph cluster_" << number << " {\nlabel=\"graph_" << number << "\"\n";
    for (const auto& each : what.nodes) {
      names_[each.get()] = "node_" + std::to_string(names_.size());
      std::string label = name_of(each->type);
      if (!each->label.empty()) label += "\n" + each->label;
      out_ << names_[each.get()] << " [shape=\"box\" label=" << quoted(label) << "]\n";
    }
    for (const auto& each : what.nodes) {
      for (const node* needed : each->dependencies) {
        out_ << names_[needed] << " -> " << names_[each.get()] << '\n';
      }
    }
    out_ << "}\n";
    for (const auto& each : what.nodes) {
      for (const auto& body : each->bodies) {
        const std::size_t first = names_.size();
        draw(*body);
        if (names_.size() == first) continue;
        out_ << names_[each.get()] << " -> node_" << first << " [style=\"dashed\"]\n";
      }
    }
  }

 private:
  std::ostream& out_;
  unsigned clusters_ = 0;
  std::map<const node*, std::string> names_;
};

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host;

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return api::device_call([&] {
    const auto found = api::graphs().find(graph);
    if (found == nullptr || path == nullptr) return cudaErrorInvalidValue;
    std::ofstream out(path);
    out << "digraph dot {\n";
    api::drawing(out).draw(*found);
    out << "}\n";
    out.close();
    return out ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
