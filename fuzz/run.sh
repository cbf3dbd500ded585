#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs fuzzers that were built as README.md says, and prints a row of its table for each:
#     fuzz/run.sh TARGET|all SECONDS [BUILD]
# What they learn is kept in BUILD/fuzz/learned/TARGET, inputs that crash in BUILD/fuzz/findings/TARGET.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || {
    echo "usage: $0 TARGET|all SECONDS [BUILD]" >&2
    exit 2
}
targets=$1 seconds=$2 build=$(cd "${3:-$here/../build/fuzz}" && pwd)
[ "$targets" != all ] || targets='npy nifti volume netcdf tiff picture mesh list foreground points matrix model state parts ifs ifs_round'

# The number behind a word in the last line of the log that has it.
last() {
    sed -n "s/.*$1 *\([0-9][0-9]*\).*/\1/p" "$log" | tail -n 1
}

status=0
for target in $targets; do
    learned=$build/fuzz/learned/$target findings=$build/fuzz/findings/$target
    log=$build/fuzz/$target.log
    mkdir -p "$learned" "$findings"
    set --
    [ ! -f "$here/dict/$target.dict" ] || set -- -dict="$here/dict/$target.dict"
    "$build/fuzz/fuzz_$target" -max_len=4096 -entropic=0 -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 \
        -print_final_stats=1 -artifact_prefix="$findings/" "$@" "$learned" "$here/corpus/$target" \
        >"$log" 2>&1 || status=1
    n=$(find "$findings" -type f | wc -l)
    echo "| $target | $seconds | $(last 'number_of_executed_units:') |" \
        "$(last 'average_exec_per_sec:') | $(last 'cov:') | $n |"
done
exit $status
