#!/usr/bin/env python3
"""Writes a CUDA program with random kernels, free of races, that print a digest of what each lane has computed.

One kernel in four has no barriers. In the others, between two barriers, each shared array is either read by all lanes,
or each lane uses only its own element, or lanes only add to it atomically. Arithmetic is on unsigned integers or on
small numbers, so nothing is undefined.

Some kernels name their block as a cooperative group, change their parameters, call functions that change their
arguments, or have lanes that return early.
"""

import random
import sys

BLOCKS = ["32", "64", "100", "256", "7", "16, 16", "8, 8", "32, 4", "48, 2", "16, 4, 2", "1, 5", "33, 3"]
SHARED = ["s0", "s1", "s2"]
SUMS = 16
PARAMETERS = "const unsigned* in, unsigned* out, unsigned* sums, unsigned n, unsigned v_lane, unsigned u_all, table view"


class Kernel:
    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []
        self.depth = 1
        self.variables = [{}]  # for each scope: name -> whether it is the same for all lanes
        self.next = 0
        self.modes = {}
        self.budget = rng.randint(8, 40)
        self.has_group = rng.random() < 0.5
        self.may_return = rng.random() < 0.4

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def visible(self):
        return {name: uniform for scope in self.variables for name, uniform in scope.items()}

    def known(self, is_uniform):
        return [name for name, uniform in self.visible().items() if uniform or not is_uniform]

    def changeable(self, wants_uniform):
        return [name for name, uniform in self.visible().items() if uniform == wants_uniform and name[0] in "vu"]

    def value(self, depth=0, is_uniform=False):
        rng = self.rng
        choice = rng.random()
        if depth > 3 or choice < 0.3:
            names = self.known(is_uniform) + ["n", "blockIdx.x", "blockDim.x", "view.all.y"]
            if self.has_group:
                names += ["block.size()", "block.group_index().x"]
                names += [] if is_uniform else ["block.thread_rank()", "block.thread_index().x"]
            return rng.choice(names)
        if choice < 0.4:
            return f"{rng.randint(0, 40)}u"
        a, b = self.value(depth + 1, is_uniform), self.value(depth + 1, is_uniform)
        if choice < 0.75:
            return f"({a} {rng.choice(['+', '-', '*', '^', '|', '&'])} {b})"
        if choice < 0.8:
            return f"({a} {rng.choice(['>>', '<<'])} {rng.choice([str(rng.randint(0, 9)), f'({b} & 7)'])})"
        if choice < 0.85:
            return f"({a} {rng.choice(['<', '>', '=='])} {b} ? {self.value(depth + 1, is_uniform)} : {b})"
        if choice < 0.88:
            return f"min({a}, {b})"
        if is_uniform:
            return f"({a} + 1u)"
        if choice < 0.92:
            return rng.choice([f"in[{a} % n]", f"view.data[{a} % view.all.count]", f"load_pair(in, {a} % n).y"])
        return self.shared_value(a)

    def shared_value(self, a):
        name = self.rng.choice(SHARED)
        if self.modes[name] == "read":
            return f"{name}[{a} % size]"
        return f"{name}[t]" if self.modes[name] == "own" else f"{self.rng.randint(1, 9)}u"

    def new_name(self, prefix):
        # Some names are used again in other scopes.
        if self.rng.random() < 0.1:
            name = prefix + "0"
            if not any(one.split("[")[0].split(".")[0] == name for one in self.variables[-1]):
                return name
        self.next += 1
        return f"{prefix}{self.next}"

    def block(self, write):
        self.variables.append({})
        self.depth += 1
        write()
        self.depth -= 1
        self.variables.pop()

    def statements(self, count, is_common):
        for _ in range(count):
            if self.budget <= 0:
                return
            self.budget -= 1
            self.statement(is_common)

    def statement(self, is_common):
        rng = self.rng
        kinds = ["declare"] * 3 + ["change"] * 4 + ["shared"] * 3 + ["atomic", "if", "loop", "loop", "array"]
        kinds += ["call"] * 2 + ["pair"]
        if is_common:
            kinds += ["uniform"] * 2 + ["change_uniform", "barrier", "barrier", "uniform_if", "uniform_loop", "stride"]
            kinds += ["uniform_loop", "stride", "braces"]
            if self.may_return and rng.random() < 0.1:
                kinds = ["return"]
        getattr(self, "write_" + rng.choice(kinds))(is_common)

    def write_declare(self, _):
        rng = self.rng
        name = self.new_name(rng.choice("vc"))
        value = self.value()
        if rng.random() < 0.3:
            value = rng.choice(["threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + n", "t % 32"])
        kind = "const unsigned" if name[0] == "c" else "unsigned"
        if name[0] == "v" and rng.random() < 0.2:
            other = self.new_name("v")
            if other != name:
                self.put(f"unsigned {name} = {value}, {other} = {self.value()};")
                self.variables[-1][other] = False
                self.variables[-1][name] = False
                return
        self.put(f"{kind} {name} = {value};")
        self.variables[-1][name] = False

    def write_uniform(self, _):
        name = self.new_name("u")
        self.put(f"unsigned {name} = {self.value(is_uniform=True)};")
        self.variables[-1][name] = True

    def write_change(self, _):
        names = self.changeable(False)
        if not names:
            return self.write_declare(_)
        self.put(f"{self.rng.choice(names)} {self.rng.choice(['=', '+=', '^=', '*='])} {self.value()};")

    def write_change_uniform(self, is_common):
        names = self.changeable(True)
        if names and is_common:
            self.put(f"{self.rng.choice(names)} {self.rng.choice(['=', '+=', '^='])} {self.value(is_uniform=True)};")

    def write_shared(self, _):
        own = [name for name in SHARED if self.modes[name] == "own"]
        if own:
            self.put(f"{self.rng.choice(own)}[t] {self.rng.choice(['=', '+=', '^='])} {self.value()};")

    def write_call(self, _):
        own = [f"{name}[t]" for name in SHARED if self.modes[name] == "own"]
        places = own + self.changeable(False)
        if len(places) > 1:
            a, b = self.rng.sample(places, 2)
            call = self.rng.choice(["mix({0}, {2})", "sort_two({0}, {1}, {2})", "sort_two({1}, {0}, {2})"])
            self.put(call.format(a, b, self.value()) + ";")

    def write_return(self, _):
        test = self.rng.choice(["t % 5 == 1", "t >= n", f"{self.value()} % 11 == 0", "blockIdx.x > 1", "threadIdx.x < 40"])
        self.put(f"if ({test}) return;")

    def write_atomic(self, _):
        rng = self.rng
        if rng.random() < 0.3:
            self.put(f"atomicAdd(&sums[{self.value()} % {SUMS}], {self.value()});")
            return
        added = [name for name in SHARED if self.modes[name] == "add"]
        if added:
            self.put(f"atomicAdd(&{rng.choice(added)}[{self.value()} % size], {self.value()});")

    def write_pair(self, _):
        name = self.new_name("p")
        self.put(f"pair {name} = {{{self.value()}, {self.value()}}};")
        self.put(f"{name}.{self.rng.choice(['count', 'y'])} += {self.value()};")
        self.variables[-1][f"{name}.y"] = False

    def write_array(self, _):
        name = self.new_name("a")
        self.put(f"unsigned {name}[3] = {{{self.value()}, {self.value()}}};")
        self.put(f"{name}[{self.value()} % 3] += {self.value()};")
        self.variables[-1][f"{name}[{self.rng.randint(0, 2)}]"] = False

    def write_if(self, _):
        self.put(f"if ({self.value()} % {self.rng.randint(2, 5)} == 0) {{")
        self.block(lambda: self.statements(self.rng.randint(1, 3), False))
        if self.rng.random() < 0.4:
            self.put("} else {")
            self.block(lambda: self.statements(self.rng.randint(1, 3), False))
        self.put("}")

    def write_loop(self, _):
        name = self.new_name("i")
        end = self.rng.choice(["t % 2", "t % 5", "1", "4"])  # not from memory, which loops must not depend on
        self.put(f"for (unsigned {name} = 0; {name} < {end}; ++{name}) {{")
        self.block(lambda: (self.variables[-1].update({name: False}), self.statements(self.rng.randint(1, 2), False)))
        self.put("}")

    def write_braces(self, is_common):
        self.put("{")
        self.block(lambda: self.statements(self.rng.randint(1, 4), is_common))
        self.put("}")

    def write_stride(self, _):
        name = self.new_name("i")
        start = self.rng.choice(["t", "blockIdx.x * size + t", "threadIdx.x", "t * 3"])
        step = self.rng.choice(["size", "blockDim.x * 2", "gridDim.x * size", "size * 2 + n % 3"])
        end = self.rng.choice(["n", "3 * size", "n / 2 + 5"])
        is_while = self.rng.random() < 0.4

        def write():
            self.variables[-1][name] = False
            self.statements(self.rng.randint(1, 3), False)
            if is_while:
                self.put(f"{name} += {step};")

        if is_while:
            self.put(f"unsigned {name} = {start};")
            self.variables[-1][name] = False
            self.put(f"while ({name} < {end}) {{")
        else:
            self.put(f"for (unsigned {name} = {start}; {name} < {end}; {name} += {step}) {{")
        self.block(write)
        self.put("}")

    def write_barrier(self, _):
        self.put_barrier()
        self.modes = {name: self.rng.choice(["own", "own", "read", "add"]) for name in SHARED}

    def put_barrier(self):
        forms = ["cg::sync(block);", "block.sync();"] if self.has_group else []
        self.put(self.rng.choice(["__syncthreads();"] + forms))

    # What a body with barriers assumes of the arrays must hold again before the next iteration.
    def with_modes_kept(self, write):
        self.put_barrier()
        before = dict(self.modes)
        write()
        self.put_barrier()
        self.modes = before

    def write_uniform_if(self, is_common):
        self.with_modes_kept(lambda: self.write_common_branch(is_common))

    def write_common_branch(self, is_common):
        def write():
            before = dict(self.modes)
            self.statements(self.rng.randint(1, 4), is_common)
            self.put_barrier()
            self.modes = before

        self.put(f"if ({self.value(is_uniform=True)} % 2 == 0) {{")
        self.block(write)
        self.put("}")

    def write_uniform_loop(self, is_common):
        rng = self.rng
        name = self.new_name("k")
        form = rng.choice(["= 0; {0} < {1}; ++{0}", "= 8; {0} > 0; {0} >>= 1", "= blockDim.x / 2; {0} > 0; {0} /= 2"])
        head = form.format(name, rng.randint(1, 5))

        def write():
            self.variables[-1][name] = True
            before = dict(self.modes)
            self.statements(rng.randint(1, 4), is_common)
            if rng.random() < 0.15:
                self.put(f"if ({self.value(is_uniform=True)} % 3 == 0) {rng.choice(['break', 'continue'])};")
            self.put_barrier()
            self.modes = before

        self.put(f"for (unsigned {name} {head}) {{")
        self.with_modes_kept(lambda: self.block(write))
        self.put("}")

    def write(self):
        self.modes = {name: "own" for name in SHARED}
        if self.has_group:
            self.put(f"{self.rng.choice(['cg::thread_block', 'const auto'])} block = cg::this_thread_block();")
        self.put("const unsigned size = blockDim.x * blockDim.y * blockDim.z;")
        self.put("const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);")
        self.put(f"__shared__ unsigned {SHARED[0]}[1024], {SHARED[1]}[1024];")
        self.put(f"extern __shared__ unsigned {SHARED[2]}[];")
        for name in SHARED:
            self.put(f"{name}[t] = t * {self.rng.randint(1, 9)};")
        self.variables[-1].update({"size": True, "t": False, "v_lane": False, "u_all": True})
        for _ in range(6):
            self.write_declare(True)
        while self.budget > 0:
            self.statements(5, True)
        self.put_barrier()
        self.put("unsigned all = 0;")
        for name in [one for one in self.variables[0] if not one.startswith("in")]:
            self.put(f"all = all * 31 + {name};")
        for name in SHARED:
            self.put(f"all = all * 31 + {name}[(t * 7 + 1) % size];")
        self.put("out[blockIdx.x * size + t] = all;")
        return (
            f"__global__ void {self.name}({PARAMETERS}) {{\n"
            + "\n".join(self.lines)
            + "\n}\n"
        )


def row_kernel(rng, name):
    """A kernel without barriers, whose lanes first test their indices."""
    starts = ["threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x - 5", "(threadIdx.x + 3)"]
    starts += ["threadIdx.x + n", "2 * threadIdx.x", "threadIdx.x + (threadIdx.x & 1)", "threadIdx.y + 2"]
    starts += ["n - threadIdx.x"]
    lines = []
    for variable in "ijk":
        start = rng.choice(starts + (["i + 1", "i - n % 7"] if variable != "i" else []))
        lines.append(f"  {rng.choice(['int', 'const int', 'unsigned', 'long'])} {variable} = {start};")

    def comparison():
        bounds = ["n", "n % 50", "10", "0", "n - 3", "blockDim.x - 1", "i", "static_cast<int>(n % 9)"]
        sides = [rng.choice(["i", "j", "k", "threadIdx.x"]), rng.choice(bounds)]
        rng.shuffle(sides)
        return f"{sides[0]} {rng.choice(['<', '<=', '>', '>=', '!=', '=='])} {sides[1]}"

    def test():
        return f" {rng.choice(['&&', '||'])} ".join(comparison() for _ in range(rng.randint(1, 3)))

    lines += [f"  if ({test()}) return;" for _ in range(rng.randint(0, 2))]
    inner = "out[t] = static_cast<unsigned>(i * 31 + j * 7 + k) + in[t % n];"
    place = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * (threadIdx.z + blockDim.z * blockIdx.x))"
    lines.append(f"  const unsigned t = {place};")
    lines.append(f"  if ({test()}) {inner}" if rng.random() < 0.5 else f"  {inner}")
    head = f"__global__ void {name}({PARAMETERS}) {{\n"
    return head + "\n".join(lines) + "\n}\n"


# The first kernel is always the same, and can be divided.
HEAD = """#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

struct pair {
  unsigned count, y;
};
struct table {
  const unsigned* data;
  pair all;
};

__device__ pair load_pair(const unsigned* p, unsigned i) {
  pair made = {i, 0};
  made.y = p[made.count] * 3;
  return made;
}
__device__ void mix(unsigned& a, const unsigned& b) { a = a * 5 + b; }
__device__ inline void sort_two(unsigned& a, unsigned& b, unsigned is_descending) {
  if ((a > b) != (is_descending & 1)) {
    const unsigned kept = a;
    a = b;
    b = kept;
  }
}

__global__ void shift(const unsigned* in, unsigned* out, unsigned* sums, unsigned n, unsigned, unsigned, table view) {
  __shared__ unsigned s[1024];
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned size = blockDim.x * blockDim.y * blockDim.z;
  s[t] = in[t % n];
  __syncthreads();
  out[blockIdx.x * size + t] = s[(t + 1) % size];
}
"""

MAIN = """
using kernel = void (*)(const unsigned*, unsigned*, unsigned*, unsigned, unsigned, unsigned, table);
void run(const char* name, kernel k, dim3 block, unsigned n) {
  const unsigned threads = block.x * block.y * block.z, all = 3 * threads;
  std::vector<unsigned> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = i * 2654435761u >> 7;
  unsigned *in, *out, *sums;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, all * 4);
  cudaMalloc(&sums, 64);
  cudaMemcpy(in, values.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(out, 0xcd, all * 4);
  cudaMemset(sums, 0, 64);
  k<<<3, block, threads * 4>>>(in, out, sums, n, n * 3, n + 7, table{in, {n, n / 2}});
  const cudaError_t error = cudaDeviceSynchronize();
  std::vector<unsigned> made(all + 16);
  cudaMemcpy(made.data(), out, all * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(made.data() + all, sums, 64, cudaMemcpyDeviceToHost);
  unsigned long long digest = 14695981039346656037ull;
  for (const unsigned one : made) digest = (digest ^ one) * 1099511628211ull;
  std::printf("%s %u x %u x %u, n = %u: %d %016llx\\n", name, block.x, block.y, block.z, n, error, digest);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
}
int main() {
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    text, calls = HEAD, '  run("shift", shift, dim3(40, 2), 777);\n'
    for number in range(count):
        name = f"k{number}"
        text += row_kernel(rng, name) if number % 4 == 3 else Kernel(rng, name).write()
        for block in rng.sample(BLOCKS, 4):
            calls += f'  run("{name}", {name}, dim3({block}), {rng.choice([1, 50, 777, 3000])});\n'
    print(text + MAIN + calls + "}")


main()
