#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs an example of examples/ as its first lines say, on small inputs: run_example.sh slurm|parallel|snakemake.
# Environment: RUGOSE (the program), TOOLS (the folder of make_image). The tables must be those of one run.
# Exit status 77 where the tool is not there. Slurm's scripts run under sbatch.sh, which stands for it; with
# RUGOSE_SLURM=1 Slurm itself takes them.
set -eu
[ $# -eq 1 ] || { echo "usage: run_example.sh slurm|parallel|snakemake" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
examples=$(cd "$here/../../examples" && pwd)
TOOLS=$(cd "$TOOLS" && pwd)
PATH=$(cd "$(dirname "$RUGOSE")" && pwd):$PATH
export PATH LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-example.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

need() {
    command -v "$1" >/dev/null || { echo "there is no $1 here"; exit 77; }
}

cd "$work"
echo image >list.csv
for i in 1 2 3 4 5 6 7; do
    "$TOOLS/make_image" "i$i.npy" "shape=3${i}x32" fill=noise high=255
    echo "i$i.npy" >>list.csv
done
echo none.npy >>list.csv
"$TOOLS/make_image" large.npy shape=900x70 fill=noise high=255

case $1 in
slurm)
    [ -n "${RUGOSE_SLURM-}" ] || sbatch() { sh "$here/sbatch.sh" "$@"; }
    cp "$examples"/slurm/*.sbatch "$examples/join_shards.sh" .
    shards=$(sbatch --parsable --array=1-3 --cpus-per-task=1 shards.sbatch list.csv out)
    sbatch --wait --dependency="afterany:$shards" --wrap "./join_shards.sh images.csv out 3"
    mv out/shard-3.csv out/shard-3.csv.part
    ! ./join_shards.sh images.csv out 3 || { echo "a table of incomplete shards was made" >&2; exit 1; }
    sbatch --wait --array=3 --cpus-per-task=1 shards.sbatch list.csv out 3
    sbatch --wait --wrap "./join_shards.sh images.csv out 3"
    parts=$(sbatch --parsable --array=1-4 --cpus-per-task=1 parts.sbatch large.npy out)
    sbatch --wait --dependency="afterok:$parts" --wrap "rugose merge -o image.csv out/part-*.rgs"
    ;;
parallel)
    need parallel
    "$examples/parallel/shards.sh" list.csv out 3
    cat out/*.log | grep -q 'none.npy: cannot be opened'
    "$examples/parallel/parts.sh" large.npy out 4
    mv out/image.csv out/images.csv .
    ;;
snakemake)
    need snakemake
    snakemake --quiet --cores 2 --snakefile "$examples/snakemake/Snakefile" \
        --config list=list.csv image=large.npy shards=3 parts=4
    grep -q 'none.npy: cannot be opened' failures.txt
    ;;
esac

rows() { tail -n +2 "$1" | sort; }
rugose boxcount -q --list list.csv -o one.csv 2>said || [ $? -eq 1 ]
rows one.csv >wanted
rows images.csv | diff wanted - || { echo "the table of the shards is not that of one run" >&2; exit 1; }
rugose boxcount -q --foreground above=128 -o one.csv large.npy
cmp one.csv image.csv
