#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Stands for Slurm's sbatch: runs a job at once, the tasks of an array one after the other, and prints its
# number. Knows --parsable, --wait, --array=A[-B], --cpus-per-task=N, --dependency=, --wrap COMMAND, and lines
# `#SBATCH --OPTION=VALUE` of a script, behind which options of the command line win.
set -eu
array= cpus=1 command=
for word in $(sed -n 's/^#SBATCH //p' "$@" 2>/dev/null) "$@"; do
    case $word in
    --array=*) array=${word#*=} ;;
    --cpus-per-task=*) cpus=${word#*=} ;;
    esac
done
while [ $# -gt 0 ]; do
    case $1 in
    --wrap) command=$2; shift 2; break ;;
    --*) shift ;;
    *) break ;;
    esac
done
export SLURM_CPUS_PER_TASK="$cpus"
if [ -n "$array" ]; then
    export SLURM_ARRAY_TASK_MIN="${array%-*}" SLURM_ARRAY_TASK_MAX="${array#*-}" SLURM_ARRAY_JOB_ID=1
    for SLURM_ARRAY_TASK_ID in $(seq "$SLURM_ARRAY_TASK_MIN" "$SLURM_ARRAY_TASK_MAX"); do
        export SLURM_ARRAY_TASK_ID
        sh "$@" >"slurm-1_$SLURM_ARRAY_TASK_ID.out" 2>&1 || true
    done
else
    sh -c "$command" >slurm-2.out 2>&1
fi
echo 1
