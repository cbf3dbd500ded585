#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Times whole commands, from file to table, beside Python readers and scripts that do the same:
#
#   bench/path.sh build/release/cli/rugose [RUNS [FOLDER]]
#
# makes a virtual environment with the peers and files to read in FOLDER (default build/path, 2 GB),
# runs the commands in turn, on an idle machine and then beside a spinning process for each processor,
# and prints the table of docs/benchmarks.md. Needs python3-venv, and a network the first time.
set -eu
[ $# -ge 1 ] || { sed -n '5,9s/^# \{0,1\}//p' "$0"; exit 2; }
program=$1 runs=${2:-5} folder=${3:-build/path}
here=$(dirname "$0")

mkdir -p "$folder"
if ! [ -x "$folder/venv/bin/python" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet numpy tifffile imagecodecs pillow nibabel scikit-image \
        mahotas porespy
fi
python=$folder/venv/bin/python
"$python" "$here/path_files.py" "$here/../tests/data" "$folder/files"
exec "$python" "$here/path.py" "$program" "$folder/files" "$runs"
