# SPDX-License-Identifier: BSD-3-Clause
#
# A limit on the size of files and a pipe that nobody reads are failed writes: no signal kills the
# program, and no temporary file stays.
make_image s256.npy shape=256x256 fill=noise high=63
title "a limit on the size of files"
(
    ulimit -f 64 # of 512 or 1024 bytes
    exits 1 "$RUGOSE" haralick -q --levels 8 --window 5 --features contrast,entropy --map 'map-{}.tif' s256.npy
    exits 1 "$RUGOSE" compress -q -o s256.rfi --quality 99 s256.npy
)
ls -A | sort
title "a pipe that nobody reads"
status() { # COMMAND...: its exit status, with a standard output whose reader has left
    mkfifo pipe
    (exec <pipe) &
    exec 3>pipe
    wait $!
    got=0
    "$@" >&3 || got=$?
    exec 3>&-
    rm pipe
    echo "exit status $got"
}
status "$RUGOSE" boxcount -q s256.npy
status "$RUGOSE" boxcount -q --counts - s256.npy
status "$RUGOSE" boxcount -q --counts - -o kept.csv s256.npy
status "$RUGOSE" boxcount -q s256.npy none.npy
status "$RUGOSE" help
ls -A | sort
