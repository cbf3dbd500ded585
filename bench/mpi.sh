#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Two processes of MPI beside one, with one thread each, on an idle machine of two processors:
#
#   bench/mpi.sh build/release/cli/rugose [RUNS [FOLDER]]
#
# 2000 images of 1024 x 1024 pixels (2 GB), and one volume of 8 GB, in FOLDER (default build/mpi). Prints
# seconds, the least of RUNS (default 3) taken in turn, with the start of mpirun, and their ratio. Needs
# python3 with NumPy, and a build with MPI.
set -eu
[ $# -ge 1 ] || { sed -n '5,10s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1") runs=${2:-3} folder=${3:-build/mpi}

mkdir -p "$folder"
cd "$folder"
python3 - <<'END'
import os
import numpy as np

rng = np.random.default_rng(1)
os.makedirs("images", exist_ok=True)
if not os.path.exists("images/1999.npy"):
    for i in range(2000):
        np.save(f"images/{i:04}.npy", rng.integers(0, 256, (1024, 1024), np.uint8))
if not os.path.exists("volume.npy"):
    slices = rng.integers(0, 256, (64, 2048, 2048), np.uint8)
    volume = np.lib.format.open_memmap("part.npy", "w+", np.uint8, (2048, 2048, 2048))
    for z in range(0, 2048, 64):
        volume[z : z + 64] = np.roll(slices, z, axis=2)
    volume.flush()
    os.rename("part.npy", "volume.npy")
END

# seconds N WORD...: of N processes.
seconds() {
    n=$1
    shift
    begin=$(date +%s%N)
    if [ "$n" -eq 0 ]; then
        taskset -c 0 "$program" "$@" --threads 1 -q -o table.csv 2>/dev/null
    else
        mpirun --allow-run-as-root --oversubscribe --bind-to core -n "$n" "$program" "$@" \
            --threads 1 -q -o "table-$n.csv" 2>/dev/null
        cmp table.csv "table-$n.csv"
    fi
    echo $(($(date +%s%N) - begin))
}

# 0 is a process without MPI, 1 one that mpirun started, which shares nothing.
compare() {
    name=$1
    shift
    for n in 0 1 2; do eval "least_$n="; done
    for _ in $(seq "$runs"); do
        for n in 0 1 2; do
            t=$(seconds $n "$@")
            eval "[ -n \"\$least_$n\" ] && [ \$least_$n -le $t ] || least_$n=$t"
        done
    done
    echo "$name $least_0 $least_1 $least_2" | awk '{
        printf "%-32s alone %6.2f s, one process %6.2f s, two %6.2f s: %.2f times\n", $1, $2 / 1e9, $3 / 1e9, $4 / 1e9, $3 / $4 }'
}

compare lbp,2000-images lbp images
compare haralick,2000-images haralick images
compare boxcount,8-GB boxcount --foreground above=200 volume.npy
compare multifractal,8-GB multifractal volume.npy
