"""Writes the results of measure-reach as the Markdown tables of docs/reach.md."""
import pathlib
import re


LISTED = ("hecbench",)  # checkouts with so many programs that those that pass are only named
GROUPS = {"yes": "Correct", "no self-check": "Run to their end, without a self-check",
          "so far": "Stopped, and correct so far", "not known": "Stopped before their self-check, if they have one"}


def check_words(checked):
    if not checked:
        return ""
    if not checked["launches"] and not checked["unfinished"]:
        return "launches no kernel"
    count = len(checked["findings"])
    words = "no findings" if not count else f"{count} finding{'s' if count > 1 else ''}"
    words += " (smaller)" if checked.get("smaller") else ""
    return f"not finished, {words}" if checked["unfinished"] else words


def verdict(result):
    smaller = result.get("smaller", {}).get("correct")
    return f"{smaller} (smaller)" if smaller else result["correct"]


def columns(name, result, notes):
    """builds, runs, correct, checked, seconds, what is missing"""
    missing = notes.get(name, {}).get("missing", "")
    if not result["built"]:
        return ["no", "", "", "", "", missing or result["why"]]
    return ["yes", result["ran"], verdict(result), check_words(result["checked"]), str(result["seconds"]), missing]


def line(name, result, notes):
    """One line of progress."""
    if result.get("needs"):
        return f"{name}: needs {', '.join(result['needs'])}"
    return f"{name}: " + " | ".join(columns(name, result, notes)) + (f" | {result['why']}" if result["why"] else "")


def rows(tried, notes):
    """A row for each program."""
    return ["| program | builds | runs | correct | checked | seconds | what is missing |", "|---|---|---|---|---|---|---|",
            *("| " + " | ".join([short(name), *columns(name, result, notes)]) + " |" for name, result in tried.items())]


def short(name):
    return f"`{name.split('/')[1]}`"


def cell(text):
    """Text of a program or compiler, in a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")[:160]


def what_is_wrong(name, result, notes):
    """What a program does instead of running to its end and passing; nothing if it does that, or was only stopped."""
    why = notes.get(name, {}).get("missing", "") or result["why"]
    if not result["built"]:
        return ["not built", why]
    if result["ran"] != "yes" and "stopped" not in result["ran"]:
        return [result["ran"], why]
    return ["wrong result", why] if result["correct"] == "no" else []


def lists(tried, notes):
    """A row for each program that does not build, run and pass; the names of the others."""
    wrong = {name: words for name, result in tried.items() if (words := what_is_wrong(name, result, notes))}
    lines = ["| program | what happens | why |", "|---|---|---|"]
    lines += [f"| {short(name)} | {words[0]} | {cell(words[1])} |"
              for name, words in sorted(wrong.items(), key=lambda item: (item[1][0] != "not built", item[0]))]
    groups = {}
    for name, result in tried.items():
        if name not in wrong:
            groups.setdefault(result["correct"], []).append(short(name))
    for verdict, title in GROUPS.items():
        names = groups.get(verdict, [])
        lines += ["", f"**{title}** ({len(names)}): {', '.join(names) or 'none'}."]
    found = [f"{short(name)} ({len(result['checked']['findings'])})" for name, result in tried.items()
             if result["checked"] and result["checked"]["findings"]]
    return lines + (["", f"**Findings** of `heddle check`: {', '.join(found)}."] if found else [])


def table(programs, notes, checkout):
    """A row for each program of a checkout that was tried, and a line for each reason why others were not."""
    own = {name: result for name, result in sorted(programs.items()) if name.startswith(checkout + "/")}
    tried = {name: result for name, result in own.items() if not result.get("needs")}
    built = sum(result["built"] for result in tried.values())
    runs = sum(result["ran"] == "yes" for result in tried.values())
    correct = sum(result["correct"] == "yes" for result in tried.values())
    smaller = sum(verdict(result) == "yes (smaller)" for result in tried.values())
    quiet = sum(check_words(result["checked"]).startswith("no findings") for result in tried.values())
    head = (f"{len(tried)} of {len(own)} programs were tried: {built} build, {runs} run to their end, {correct} are "
            f"correct by their own check{f' ({smaller} more with smaller sizes)' if smaller else ''}, and {quiet} were "
            "checked to the end without a finding.")
    parts = lists(tried, notes) if checkout in LISTED else rows(tried, notes)
    reasons = {}
    for name, result in own.items():
        if result.get("needs"):
            reasons.setdefault(" and ".join(result["needs"]), []).append(name.split("/")[1])
    others = ["", "| not tried, because it needs | programs |", "|---|---|"]
    others += [f"| {reason} | {', '.join(f'`{one}`' for one in names)} |" for reason, names in sorted(reasons.items())]
    return "\n".join([head, "", *parts, *(others if reasons else [])])


def write_tables(markdown, programs, notes):
    """Replaces the text between the markers of each checkout."""
    page = pathlib.Path(markdown)
    text = page.read_text(encoding="utf-8")
    for checkout in {name.split("/")[0] for name in programs}:
        new = table(programs, notes, checkout)
        text = re.sub(rf"(<!-- {checkout}: begin -->\n).*?(<!-- {checkout}: end -->)",
                      lambda match, new=new: f"{match[1]}{new}\n{match[2]}", text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")
