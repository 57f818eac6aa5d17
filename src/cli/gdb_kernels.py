# Lets gdb break in the body of a kernel by its name, and hides the runtime from a lane's stack.
#
# On the CPU, a kernel `k` is a function that launches a closure, and the closure holds the body of k. So `break k`
# would stop on the host, before any lane runs.
import re

import gdb
from gdb.FrameDecorator import FrameDecorator

# The mangled name of a body: the call operator of a closure inside a function, which is the kernel.
BODY = re.compile(r"_ZZ(?P<kernel>[^Z].*)EN(UlvE_|\d+\$_\d+)clEv$")
# The loop that calls a body for each lane of a block or row or, in a checked program, the function that the loop calls.
# An optimising compiler inlines the body into it.
LOOP = re.compile(
    r"_ZN11heddle_host(9run_lanes|8run_lane|8run_rows|17run_rows_of_block|10run_blocks|9run_block)IZ(?P<kernel>.*)E"
    r"(Ul(v|R?N(S_|11heddle_host)(11lane_in_row|14block_of_lanes)E)E_|\d+\$_\d+)"
    r"(LN(S_|11heddle_host)8row_modeE\dE)?EEvPKv$"
)


def linker_name(address):
    """The linker name of the function at an address. Names from debug information are not unique for closures."""
    command = f"with print demangle off -- info symbol {address:#x}"
    return gdb.execute(command, to_string=True).split()[0]


def encoding(name):
    """A function's linker name in the form that the linker names of its closures contain."""
    return name[2:] if name.startswith("_Z") else f"{len(name)}{name}"


def function_around(address):
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block


def compiled_function_around(address):
    """As function_around, but the function into which the code was inlined."""
    found = block = function_around(address)
    while block is not None:
        found = block if block.function is not None else found
        block = block.superblock
    return found


def is_kernel(block):
    """Whether the function launches a closure, as only kernels do."""
    code = gdb.execute(f"disassemble {block.start:#x},{block.end:#x}", to_string=True)
    return re.search("enter_kernel|launch_pushed", code) is not None


def body_of(place):
    """Where the body of the kernel at this place begins; None if it is not a kernel."""
    kernel = compiled_function_around(place.pc)
    if kernel is None or kernel.function.symtab is None or not is_kernel(kernel):
        return None
    wanted = encoding(linker_name(kernel.start))
    starts = {function_around(line.pc) for line in kernel.function.symtab.linetable()} - {None}
    for name in {linker_name(block.start) for block in starts}:
        match = BODY.match(name)
        if match and match["kernel"] == wanted:
            return name
    return inlined_body_of(kernel, wanted)


def inlined_body_of(kernel, wanted):
    """Where the body of a kernel begins if it was inlined into the runtime's loop; None if it was not."""
    inside = []
    # Of the kernel's own file: the place may be in inlined code of the runtime.
    for line in kernel.function.symtab.linetable():
        name = linker_name(line.pc)
        match = LOOP.match(name)
        if match and match["kernel"] == wanted:
            inside.append((line.pc, name))
    if not inside:
        return None
    # Code that the compiler has moved out of the body is not part of its frame.
    of_body = [each for each in inside if "operator()" in function_around(each[0]).function.name]
    # Relative to its function, since the program has not been loaded yet.
    address, name = min(of_body or inside)
    begin = int(gdb.parse_and_eval(f"(unsigned long) &'{name}'"))
    return f"*(unsigned long) &'{name}' + {address - begin}"


def places_of(location):
    """Where the functions with this name begin; empty for a line, an address or a body."""
    function = re.sub(r"^-function\s+", "", location or "")
    if not function or re.search(r"(^|:)[-+]?\d+$|^[*-]|^_ZZ", function):
        return ()
    return gdb.decode_line(function)[1] or ()


def move_to_bodies(made):
    """Replaces a breakpoint at kernels by a breakpoint in each kernel's body."""
    if made.type != gdb.BP_BREAKPOINT:
        return
    places = places_of(made.location)
    bodies = [body_of(place) for place in places]
    if not any(bodies):
        return
    name = re.sub(r"[<(].*", "", made.location).split("::")[-1].split()[-1]
    for place, body in zip(places, bodies):
        found = linker_name(place.pc)
        # A launch or body that was inlined elsewhere does not get a breakpoint.
        if body is None and (name not in found or LOOP.match(found)):
            continue
        # Other functions of that name keep their own breakpoint.
        target = body or found
        where = {"spec" if target.startswith("*") else "function": target}
        moved = gdb.Breakpoint(**where, temporary=made.temporary)
        moved.condition = made.condition
        moved.thread = made.thread
    made.delete()


def on_breakpoint(made):
    try:
        move_to_bodies(made)
    except gdb.error as failure:
        print(f"heddle: this breakpoint stops at the launch, not in the kernel: {failure}")


def source_name(kernel):
    """A kernel's name as gdb writes a function's: `space::name<int>`, without its parameters."""
    text = gdb.execute(f"demangle -- _Z{kernel}", to_string=True).strip()
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth == 0:
            break
    return re.sub("^void ", "", text[:at] if text.endswith(")") else text)


class Frame(FrameDecorator):
    """Shows a frame with the name of its function, or of its kernel if it is a kernel's body."""

    def __init__(self, frame, kernel=None):
        super().__init__(frame)
        self.kernel = kernel

    def function(self):
        return source_name(self.kernel) if self.kernel else self.inferior_frame().name()

    def frame_args(self):
        # A body's only argument is the closure, whose members can be printed by name.
        return None if self.kernel else super().frame_args()


class HideRuntimeFrames:
    """Ends a lane's backtrace at its kernel. `bt -no-filters` shows all frames."""

    def __init__(self):
        self.name = "heddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for frame in frames:
            real = frame.inferior_frame()
            name = linker_name(real.pc())
            is_inlined = real.type() == gdb.INLINE_FRAME and "operator()" in (real.name() or "")
            match = LOOP.match(name) if is_inlined else BODY.match(name)
            older = real.older()
            if match and older and re.search("call_body<|run_(body|lanes?|in_row|block)<", older.name() or ""):
                yield Frame(frame, match["kernel"])
                return
            yield Frame(frame)


# A debug build embeds this script, and `heddle run --gdb` names it as well.
if not hasattr(gdb, "heddle_knows_kernels"):
    gdb.heddle_knows_kernels = True
    gdb.execute("handle SIGURG nostop noprint pass", to_string=True)
    gdb.events.breakpoint_created.connect(on_breakpoint)
    HideRuntimeFrames()
