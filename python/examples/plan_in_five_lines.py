"""Plans the next steps of a dialogue: plan_in_five_lines.py DATABASE RUN [TEXT]."""

import sys

import kgwalk

planner = kgwalk.Planner.open(sys.argv[1], sys.argv[2])
plan = planner.explain(sys.argv[3] if len(sys.argv) > 3 else "Who directed Inception?", k=3)
print(kgwalk.Responder.by_wordings().say(plan))
for path in plan.paths:
    print(f"{path}   log p {path.log_prob:.2f}")
