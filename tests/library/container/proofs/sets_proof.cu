// A union-find used by a few lanes: sets_proof ELEMENTS BEFORE PROGRAM…; a word has a letter and
// two elements for each operation: u01 unites, a01 asks whether they are united, f11 finds the
// first. Returns 0 if one order of the operations explains all results.
#include <heddle/container/union_find.cuh>

#include <string>

#include "../../../support/container_models.hpp"
#include "../asking_sets.cuh"
#include "small_program.cuh"

namespace {
using namespace heddle_test;
using heddle::container::union_find;
using heddle::container::union_find_view;

std::vector<step> steps_of(const std::string& program) {
  std::vector<step> steps;
  for (std::size_t i = 0; i + 2 < program.size(); i += 3) {
    const auto question = static_cast<unsigned>(program[i] == 'u'   ? set_question::unite
                                                : program[i] == 'f' ? set_question::find
                                                                    : set_question::are_united);
    const auto element = [&](std::size_t at) { return static_cast<unsigned>(program[at] - '0'); };
    steps.push_back({{question, element(i + 1), element(i + 2)}});
  }
  return steps;
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned elements = static_cast<unsigned>(std::stoul(arguments[1]));
  small_program program;
  program.before.add(steps_of(arguments[2]));
  for (int i = 3; i < count; ++i) program.meanwhile.add(steps_of(arguments[i]));
  std::vector<step> all;
  for (unsigned i = 0; i < elements; ++i) {
    all.push_back({{static_cast<unsigned>(set_question::find), i, i}});
  }
  program.behind.add(all);
  const union_find object(elements);
  using one_operation = operation<set_call, set_answer>;
  return judge<one_operation>(
      program, asking{object.view()}, union_find_model(elements),
      [](const step& what, const record& result) {
        const set_call call{static_cast<set_question>(what.words[0]), what.words[1], what.words[2]};
        return one_operation{0, call, set_answer{result.words[0]}, 0, 0};
      });
}
