#!/bin/sh
# Copies SOURCE to TARGET by a job array: submit.sh SOURCE TARGET SHARDS PLAN
set -eu
source=$1 target=$2 shards=$3 plan=$4
here=$(cd "$(dirname "$0")" && pwd)

[ -e "$plan/plan.json" ] || zcp plan "$source" --shards="$shards" --output="$plan"
rest=$(zcp plan --status --json "$plan" | sed 's/.*"rest":"\([^"]*\)".*/\1/')
if [ -n "$rest" ]; then
  array=$(sbatch --parsable --array="$rest" "$here/shard.sbatch" "$plan" "$target")
  set -- --dependency="afterok:$array" --kill-on-invalid-dep=yes
else
  set --
fi
sbatch "$@" "$here/finish.sbatch" "$plan" "$target"
