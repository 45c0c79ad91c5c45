#!/usr/bin/env bash
# Makes data/listener/schooled.safetensors: a listener that learns from made-up graphs alone, from another one in each round, each round
# beginning with the weights of the one before.
# Usage: scripts/recipes/schooled_listener.sh PROGRAM FOLDER [ROUNDS [QUESTIONS]]
#   2 rounds of 60,000 questions, two passes each, unless told otherwise: about 25 minutes of one core
# A run that was stopped goes on with the same command. Seeds are 102, 103, ...
set -euo pipefail
program=${1:?the program kgwalk} folder=${2:?a folder for the runs} rounds=${3:-2} questions=${4:-60000}
mkdir -p "$folder"
from=nothing
for round in $(seq "$rounds"); do
  run=$folder/round$round
  "$program" listen school --run "$run" --from "$from" --made "$questions" --seed $((101 + round)) --set listening.trainer.max_epochs=2 \
    --out "$folder/schooled.safetensors"
  from=$run
done
echo "$folder/schooled.safetensors goes to data/listener"
