#!/usr/bin/env python3
"""Do the tests notice? Breaks one line at a time in a build of its own and runs the tests that should see it.

Usage: scripts/check_mutations.py BUILD_FOLDER [--only NAME]... [--drawn N] [--seed S] [--table FILE] [--before COMMAND]
  BUILD_FOLDER      a configured build of this checkout, which should have no changes (a worktree is best)
  --only NAME       of the named lines this one alone
  --drawn N         besides the named lines N more, drawn by the seed among the lines of the papers' modules
  --table FILE      the verdicts as tables in markdown
  --before COMMAND  what every build is run through, e.g. "nice" or "flock /tmp/build.lock"
Prints a line a mutation; exit 1 when a named one is not caught. Not part of CI: each costs a build of what depends on the line.
"""
import argparse
import pathlib
import random
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ATTENTION, WALKER, RL, TASKS, SPEECH = "seq2seq_test", "walker_test", "rl_test", "seq2seq_tasks_test", "speech_understanding_test"

# name, file, line as it is, line as it becomes, tests
NAMED = [
    ("causal mask of the generic path", "seq2seq/attention/attend_generic.cc", "if (plan.options.causal) {",
     "if (!plan.options.causal) {", [ATTENTION]),
    ("dilation of hi-attention is one off", "seq2seq/attention/attention.cc", "layers_below - 1 - k * dilation",
     "layers_below - 1 - k * (dilation + 1)", [ATTENTION]),
    ("earlier layers joined farthest first (Eq. 6)", "seq2seq/attention/attention.cc", "heads.narrow(2, h * d, n * h * d)",
     "heads.narrow(2, 0, n * h * d)", [ATTENTION]),
    ("TASA's causal kernel sees the next query", "seq2seq/attention/tasa.cc", "s.causal = call.causal;", "s.causal = false;",
     [ATTENTION]),
    ("TASA without kernels sees later keys", "seq2seq/attention/tasa.cc", "if (call.causal) {", "if (!call.causal) {",
     [ATTENTION]),
    ("dense TASA receives one layer only", "seq2seq/attention/tasa.cc", "return mode == TasaMode::kDense ? layers_below :",
     "return mode == TasaMode::kDense ? std::min(layers_below, 1) :", [ATTENTION]),
    ("GTRANS' encoder groups are summed, not averaged", "seq2seq/layers/fusion.cc",
     "weight.sigmoid() / static_cast<double>(weight.size(0))", "weight.sigmoid()", [ATTENTION]),
    ("GTRANS' temperature is dropped", "seq2seq/layers/fusion.cc", "torch::softmax(chosen / temperature_, 0)",
     "torch::softmax(chosen, 0)", [ATTENTION]),
    ("sign of GHT's likeness within a group", "seq2seq/attention/grouped_heads.cc",
     "options_.alpha * likeness_to_own_group(features, assignment, c).mean();",
     "-options_.alpha * likeness_to_own_group(features, assignment, c).mean();", [ATTENTION]),
    ("GHT forgets the difference between groups", "seq2seq/attention/grouped_heads.cc",
     "return options_.beta * likeness_between_groups", "return 0 * options_.beta * likeness_between_groups", [ATTENTION]),
    ("significance is what a unit gives", "seq2seq/attention/significance.cc", "map.sum(1);", "map.sum(2);", [SPEECH]),
    ("local alignment seeks the least alike", "seq2seq/tasks/understanding/alignment.cc", "cosine.max(2);", "cosine.min(2);",
     [SPEECH]),
    ("global alignment squares", "seq2seq/tasks/understanding/alignment.cc", "(speech - text).abs()", "(speech - text).square()",
     [SPEECH]),
    ("order of HiTKG's two memories", "walker/network/source_encoders.cc", "return dialogue_first ?", "return !dialogue_first ?",
     [WALKER]),
    ("the length is read at the goal's place", "walker/network/hitkg.cc", "return {states, length_logits(out.select(1, 0))};",
     "return {states, length_logits(out.select(1, 1))};", [WALKER]),
    ("scores are read one place early", "walker/network/hitkg.cc", "Tensor states = out.slice(1, kPrefix - 1);",
     "Tensor states = out.slice(1, kPrefix - 2, out.size(1) - 1);", [WALKER]),
    ("the masked goal is seen", "walker/network/hitkg.cc", "keep.select(1, 1).fill_(false);", "keep.select(1, 1).fill_(true);",
     [WALKER]),
    ("the length's loss is dropped (Eq. 5.8)", "walker/training/loss.cc", "loss.total = loss.total + loss.length * config.length;",
     "loss.total = loss.total + 0 * loss.length;", [WALKER]),
    ("eop is not among the candidates' sums (Eq. 5.7)", "walker/network/candidate_scorer.cc",
     "scores = scores.index_add(0, last.to(scores.device()), stop);", "scores = scores + 0 * stop.sum();", [WALKER]),
    ("gamma of the return is squared", "rl/training/a2c.cc", "rewards[t] + discount * (1 - ended[t]) * next;",
     "rewards[t] + discount * discount * (1 - ended[t]) * next;", [RL]),
    ("the reward counts standing still", "rl/environment/environment.cc", "o.nearer = e.distance < before;",
     "o.nearer = e.distance <= before;", [RL]),
]

# Of these files lines are drawn.
MODULES = {
    "seq2seq/attention/tasa.cc": [ATTENTION], "seq2seq/attention/grouped_heads.cc": [ATTENTION],
    "seq2seq/attention/attention.cc": [ATTENTION], "seq2seq/layers/fusion.cc": [ATTENTION],
    "seq2seq/layers/decoder.cc": [ATTENTION], "seq2seq/attention/significance.cc": [SPEECH],
    "seq2seq/tasks/understanding/alignment.cc": [SPEECH], "seq2seq/tasks/understanding/spans.cc": [SPEECH],
    "walker/network/hitkg.cc": [WALKER], "walker/network/metapath.cc": [WALKER],
    "walker/network/candidate_scorer.cc": [WALKER], "walker/training/loss.cc": [WALKER], "rl/training/a2c.cc": [RL],
    "rl/environment/environment.cc": [RL],
}
SWAPS = [(r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" < ", " <= "), (r" > ", " >= "), (r" == ", " != "),
         (r" && ", " || "), (r"\(1, ", "(0, "), (r"\b0\)", "1)"), (r"\b1\)", "0)")]


def drawn(count, seed):
    rng, found = random.Random(seed), []
    places = []
    for file, tests in MODULES.items():
        for number, line in enumerate((ROOT / file).read_text().splitlines()):
            code = line.split("//")[0]
            if "throw" in code or "#include" in code or '"' in code:
                continue
            places += [(file, number, line, swap, tests) for swap in SWAPS if re.search(swap[0], code)]
    for file, number, line, (old, new), tests in rng.sample(places, min(count, len(places))):
        becomes = re.sub(old, new, line, count=1)
        found.append((f"{line.strip()}  becomes  {becomes.strip()}", file, number, becomes, tests))
    return found


def broken(text, what, becomes):
    if isinstance(what, int):
        lines = text.split("\n")
        lines[what] = becomes
        return "\n".join(lines)
    if text.count(what) != 1:
        sys.exit(f"'{what}' stands {text.count(what)} times where it should stand once; bring the list up to date")
    return text.replace(what, becomes)


def verdict(build, tests, before):
    """'caught by ...' or 'survived'; what cannot be built is no mutation."""
    made = subprocess.run([*before, "cmake", "--build", build, "--target", *tests], capture_output=True, text=True)
    if made.returncode != 0:
        return "does not build"
    for test in tests:
        program = next(pathlib.Path(build, "tests").rglob(test))
        try:
            run = subprocess.run([program, "--gtest_brief=1"], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return f"caught by {test} (does not end)"
        if run.returncode != 0:
            names = list(dict.fromkeys(re.findall(r"\[  FAILED  \] ([\w/]+\.[\w/]+)", run.stdout)))
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            return f"caught by {names[0] if names else test + ' (crashes)'}{more}"
    return "survived"


def table_of(rows):
    """rows: (mutation, file, line or None, verdict)"""
    lines = ["| mutation | file | verdict |", "|---|---|---|"]
    for name, file, number, found in rows:
        if number is not None:
            name, file = " becomes ".join(f"`{part}`" for part in name.split("  becomes  ")), f"{file}:{number + 1}"
        lines.append(f"| {name.replace('|', chr(92) + '|')} | {file} | {found} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--before", default="", type=shlex.split)
    options = parser.parse_args()
    named = [m for m in NAMED if not options.only or m[0] in options.only]
    chosen = named + drawn(options.drawn, options.seed)
    rows = []
    for name, file, what, becomes, tests in chosen:
        path = ROOT / file
        before = path.read_text()
        try:
            path.write_text(broken(before, what, becomes))
            found = verdict(options.build, tests, options.before)
        finally:
            path.write_text(before)
        rows.append((name, file, what if isinstance(what, int) else None, found))
        print(f"{found}: {file}: {name}", flush=True)
        if options.table:  # as far as it has come
            tables = [table_of(part) for part in (rows[:len(named)], rows[len(named):]) if part]
            pathlib.Path(options.table).write_text("\n".join(tables))
    return 0 if all(row[3].startswith("caught") for row in rows[:len(named)]) else 1


if __name__ == "__main__":
    sys.exit(main())
