"""Writes the results of measure-reach as the Markdown tables of docs/reach.md."""
import pathlib
import re


def check_words(checked):
    if not checked:
        return ""
    if not checked["launches"] and not checked["unfinished"]:
        return "launches no kernel"
    count = len(checked["findings"])
    words = "no findings" if not count else f"{count} finding{'s' if count > 1 else ''}"
    return f"not finished, {words}" if checked["unfinished"] else words


def columns(name, result, notes):
    """builds, runs, correct, checked, seconds, what is missing"""
    missing = notes.get(name, {}).get("missing", "")
    if not result["built"]:
        return ["no", "", "", "", "", missing or result["why"]]
    return ["yes", result["ran"], result["correct"], check_words(result["checked"]), str(result["seconds"]), missing]


def line(name, result, notes):
    """One line of progress."""
    if result.get("needs"):
        return f"{name}: needs {', '.join(result['needs'])}"
    return f"{name}: " + " | ".join(columns(name, result, notes)) + (f" | {result['why']}" if result["why"] else "")


def table(programs, notes, checkout):
    """A row for each program of a checkout that was tried, and a line for each reason why others were not."""
    own = {name: result for name, result in sorted(programs.items()) if name.startswith(checkout + "/")}
    tried = {name: result for name, result in own.items() if not result.get("needs")}
    rows = ["| program | builds | runs | correct | checked | seconds | what is missing |", "|---|---|---|---|---|---|---|"]
    rows += ["| " + " | ".join([f"`{name.split('/')[1]}`", *columns(name, result, notes)]) + " |"
             for name, result in tried.items()]
    built = sum(result["built"] for result in tried.values())
    runs = sum(result["ran"] == "yes" for result in tried.values())
    correct = sum(result["correct"] == "yes" for result in tried.values())
    quiet = sum(check_words(result["checked"]) == "no findings" for result in tried.values())
    head = (f"{len(tried)} of {len(own)} programs were tried: {built} build, {runs} run to their end, {correct} are "
            f"correct by their own check, and {quiet} were checked to the end without a finding.")
    reasons = {}
    for name, result in own.items():
        if result.get("needs"):
            reasons.setdefault(" and ".join(result["needs"]), []).append(name.split("/")[1])
    others = ["", "| not tried, because it needs | programs |", "|---|---|"]
    others += [f"| {reason} | {', '.join(f'`{one}`' for one in names)} |" for reason, names in sorted(reasons.items())]
    return "\n".join([head, "", *rows, *(others if reasons else [])])


def write_tables(markdown, programs, notes):
    """Replaces the text between the markers of each checkout."""
    page = pathlib.Path(markdown)
    text = page.read_text(encoding="utf-8")
    for checkout in {name.split("/")[0] for name in programs}:
        new = table(programs, notes, checkout)
        text = re.sub(rf"(<!-- {checkout}: begin -->\n).*?(<!-- {checkout}: end -->)",
                      lambda match, new=new: f"{match[1]}{new}\n{match[2]}", text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")
