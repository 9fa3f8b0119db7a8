#!/bin/sh
# Copies SOURCE to TARGET from several hosts: copy.sh SOURCE TARGET SHARDS PLAN HOST,HOST,...
set -eu
source=$1 target=$2 shards=$3 plan=$4 hosts=$5
zcp=${ZCP:-zcp}

[ -e "$plan/plan.json" ] || "$zcp" plan "$source" --shards="$shards" --output="$plan"
seq 0 $((shards - 1)) |
  parallel --quote --retries 3 --jobs 1 --sshlogin "$hosts" \
    "$zcp" copy -q --shard="$plan/{}" "$target"
"$zcp" plan --finish "$plan" "$target"
