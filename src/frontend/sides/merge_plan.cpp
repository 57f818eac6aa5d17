// Decides how to merge each difference between the host's and the device's text.
#include "frontend/sides/merge_plan.hpp"

#include <set>
#include <string>

namespace heddle::frontend {
namespace {

// Drops the tokens that both ranges begin and end with.
difference trimmed(const side& host, const side& device, difference one) {
  const auto equal = [&](std::size_t h, std::size_t d) {
    return host.shape.at(h).text == device.shape.at(d).text;
  };
  while (one.host.from < one.host.to && one.device.from < one.device.to &&
         equal(one.host.from, one.device.from)) {
    ++one.host.from;
    ++one.device.from;
  }
  while (one.host.from < one.host.to && one.device.from < one.device.to &&
         equal(one.host.to - 1, one.device.to - 1)) {
    --one.host.to;
    --one.device.to;
  }
  return one;
}

class planner {
 public:
  planner(const side& host, const side& device) : host_(host), device_(device) {}

  merge_plan run(const std::vector<difference>& differences) {
    for (const difference& one : differences) note_types_of_device(one);
    for (const difference& one : differences)
      if (!pair_functions(trimmed(host_, device_, one))) merge_declarations(one);
    return std::move(plan_);
  }

 private:
  // If the difference lies in the body of one function, records that it has two versions.
  bool pair_functions(const difference& one) {
    const scope* const h = function_of(host_.shape, one.host);
    const scope* const d = function_of(device_.shape, one.device);
    if (h == nullptr || d == nullptr) return false;
    if (signature_of(host_.shape, *h) != signature_of(device_.shape, *d)) return false;
    add_pair(*h, *d);
    return true;
  }

  void add_pair(const scope& h, const scope& d) {
    plan_.host_of[d.open] = &h;
    plan_.device_of[h.open] = &d;
  }

  // The types that the device's text defines where it differs, by scope and name.
  void note_types_of_device(const difference& one) {
    const auto items = items_in(device_.shape, one.device);
    if (!items) return;
    for (const item& it : *items)
      if (is_type(device_.shape, it) && defines(it))
        types_of_device_.insert(qualified_name(device_.shape, it));
  }

  // More than `struct name;`.
  bool defines(const item& one) const {
    return device_.shape.is(one.range.from, "typedef") || has_word(device_.shape, one.range, "{") ||
           has_word(device_.shape, one.range, "=");
  }

  // A type cannot have two definitions, wherever they are in their scope.
  bool is_type_of_device(const item& one) const {
    return is_type(host_.shape, one) &&
           types_of_device_.count(qualified_name(host_.shape, one)) != 0;
  }

  // Adds the host's declarations to the device's, and pairs functions that both define.
  void merge_declarations(const difference& one) {
    if (one.host.from == one.host.to) return;  // only the device has it
    const auto host_items = items_in(host_.shape, one.host);
    const auto device_items = items_in(device_.shape, one.device);
    if (!host_items || !device_items) return keep_device(one);
    std::map<std::string, const scope*> bodies;
    for (const item& it : *device_items)
      if (it.body != nullptr) bodies[signature_of(device_.shape, *it.body)] = it.body;
    for (const item& it : *host_items) {
      if (is_for_device_only(it.range)) continue;
      const auto found =
          it.body != nullptr ? bodies.find(signature_of(host_.shape, *it.body)) : bodies.end();
      if (found != bodies.end())
        add_pair(*it.body, *found->second);
      else if (is_declared_by(it, one.device) || is_type_of_device(it))
        keep_device(one);
      else
        plan_.added[one.device.to].push_back(it.range);
    }
  }

  bool is_for_device_only(token_range range) const {
    const bool is_device = has_word(host_.shape, range, "__heddle_device__") ||
                           has_word(host_.shape, range, "__heddle_global__");
    return is_device && !has_word(host_.shape, range, "__heddle_host__");
  }

  // Whether the device's tokens mention the name that the host's declaration declares. Then both
  // declarations in one text would be an error.
  bool is_declared_by(const item& one, token_range device) const {
    if (device.from == device.to) return false;
    if (one.is_namespace) return true;
    const std::string_view name = declared_name(host_.shape, one.range);
    return name.empty() || has_word(device_.shape, device, name);
  }

  void keep_device(const difference& one) {
    const bool has_tokens = one.device.from < one.device.to;
    const side& where = has_tokens ? device_ : host_;
    const std::size_t at = has_tokens ? one.device.from : one.host.from;
    if (!where.shape.is_in_user_file(at)) return;
    plan_.notes.push_back(
        {where.list.location(at),
         "host and device have different declarations here; the device's are used"});
  }

  const side& host_;
  const side& device_;
  std::set<std::string> types_of_device_;
  merge_plan plan_;
};

}  // namespace

merge_plan plan_merge(const side& host, const side& device,
                      const std::vector<difference>& differences) {
  return planner(host, device).run(differences);
}

}  // namespace heddle::frontend
