// Small experiments about warps on a GPU: each is a question, its variants and their costs.
#include "experiments/atomic_experiments.cuh"
#include "experiments/branch_experiments.cuh"
#include "experiments/laboratory.cuh"
#include "experiments/operation_experiments.cuh"
#include "experiments/sum_experiments.cuh"

int main(int count, char** arguments) {
  heddle_bench::experiment_report rows(count, arguments);
  heddle_bench::laboratory laboratory(rows);
  heddle_bench::sum_experiments(laboratory);
  heddle_bench::branch_experiments(laboratory);
  heddle_bench::atomic_experiments(laboratory);
  heddle_bench::operation_experiments(laboratory);
}
