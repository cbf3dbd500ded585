#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs every command on small inputs while memory runs out, or threads cannot be started, at every
# point: faults.sh [--runs N] KIND [WORD]. KIND is alloc, alloc-from, thread or thread-from (shim.c); at most N
# faults are tried of each command, or all; WORD: only commands whose words contain it. Environment: RUGOSE
# (the program), TOOLS (the folder of make_image, faults and the shim).
set -eu

runs=
if [ "${1-}" = --runs ]; then
    runs="--runs $2"
    shift 2
fi
[ $# -ge 1 ] || { echo "usage: faults.sh [--runs N] KIND [WORD]" >&2; exit 2; }
kind=$1 word=${2-}
data=$(cd "$(dirname "$0")/../data" && pwd)
RUGOSE=$(cd "$(dirname "$RUGOSE")" && pwd)/$(basename "$RUGOSE")
TOOLS=$(cd "$TOOLS" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rugose-faults.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
mkdir in
make_image() { "$TOOLS/make_image" "$@"; }
make_image in/a.npy shape=16x16 fill=sierpinski
make_image in/n.npy shape=24x20 fill=noise high=255
make_image in/f.npy shape=16x16 fill=noise high=9 dtype=f32 nan=3
make_image in/v.nii shape=4x6x8 fill=noise high=9
make_image in/t.tif shape=24x24 fill=noise high=255
make_image in/m.npy shape=24x20 fill=checker
make_image in/l.npy shape=24x20 fill=blocks
printf 'P5\n12 10\n255\n%0120d' 7 >in/p.pgm
printf 'x,y\n1,2\n3,5\n4,4\n8,9\n1.5,2\n' >in/c.csv
printf 'image,mask\nn.npy,m.npy\nn.npy,\n' >in/list.csv
cp "$data/bin_cantor_dust_243.png" in/d.png
cp "$data/meshes/trimesh_binary.ply" in/s.ply
mkdir in/tex in/tex/one in/tex/two
cp in/n.npy in/tex/one/1.npy
cp in/m.npy in/tex/two/2.npy
"$RUGOSE" compress -q -o in/z.rfi in/n.npy >/dev/null
make_image in/alpha.tif shape=24x20 fill=noise high=255 alpha=2 orientation=6 dpi=300 profile=Grey
"$RUGOSE" compress -q -o in/alpha.rfi in/alpha.tif >/dev/null
"$RUGOSE" decompress -q -o in/alpha.png in/alpha.rfi >/dev/null
printf '{"maps": [[0.5, 0, 0, 0.5, 0, 0], [0, 0.5, 0.5, 0, 1, 0]]}' >in/maps.json
"$RUGOSE" train -q --model in/model.json in/tex >/dev/null
mkdir parts
for k in 1 2; do
    (cd parts && "$RUGOSE" boxcount -q --mask ../in/m.npy --part $k/2 -o ../in/part-$k.rgs ../in/n.npy 2>/dev/null)
done

failed=0
# faulty COMMAND...: in a folder beside `in`
faulty() {
    case "$*" in *"$word"*) ;; *) return 0 ;; esac
    # shellcheck disable=SC2086 # a list of words
    "$TOOLS/faults" $runs "$TOOLS/libfaults.so" "$work" "$kind" "$RUGOSE" "$@" || failed=1
}

i=../in
faulty boxcount --threads 2 --counts counts.csv -o rows.csv $i/a.npy $i/n.npy
faulty boxcount --threads 2 -f json --mask $i/m.npy $i/n.npy
faulty boxcount --threads 1 --labels $i/l.npy --plot a.gp $i/n.npy
faulty boxcount --threads 2 --grid min -f json -o a.json $i/a.npy
faulty boxcount --threads 2 --report r.html -f csv $i/a.npy $i/n.npy
faulty boxcount --threads 2 --part 1/2 --mask $i/m.npy -o part.rgs $i/n.npy
faulty multifractal --threads 1 --part 2/2 -o part.rgs $i/f.npy
faulty merge --threads 2 -f json $i/part-1.rgs $i/part-2.rgs
faulty merge --threads 1 -o part.rgs $i/part-2.rgs
faulty boxcount --threads 1 --gray -v $i/n.npy $i/f.npy
faulty boxcount --threads 2 --points --spacing 0.5 -f csv $i/c.csv
faulty boxcount --threads 1 --plot a.gp -f csv $i/a.npy
faulty boxcount --threads 1 --mask $i/m.npy --save-volume a.nii.gz -f csv $i/n.npy
faulty boxcount --threads 1 --mask $i/m.npy --labels $i/l.npy --overlay o.png -f csv $i/n.npy
faulty boxcount --threads 1 --overlay o.png -f csv $i/v.nii
faulty boxcount --threads 1 --overlay o.png -f csv $i/c.csv
faulty boxcount --threads 2 --list $i/list.csv
faulty boxcount --threads 1 $i/d.png
faulty boxcount --threads 2 --resolution 20 --solid $i/s.ply
faulty multifractal --threads 2 --moments m.json --summary s.json --plot '{}.gp' -f json $i/a.npy $i/n.npy
faulty multifractal --threads 1 --method alpha --map 'map-{}.tif' $i/n.npy
faulty lacunarity --threads 2 -f json --mask $i/m.npy $i/n.npy
faulty lacunarity --threads 1 --gray $i/n.npy $i/v.nii
faulty haralick --threads 2 -f json $i/n.npy $i/t.tif
faulty haralick --threads 1 --labels $i/l.npy --levels 8 --plot a.gp -f csv $i/n.npy
faulty haralick --threads 2 --levels 8 --window 5 --features contrast --map 'map-{}.tif' $i/n.npy
faulty lbp --threads 2 -f json $i/n.npy $i/f.npy
faulty lbp --threads 1 --map codes.tif --plot a.gp --mask $i/m.npy $i/n.npy
faulty train --threads 2 --model model $i/tex
faulty classify --threads 2 --model $i/model.json -f csv $i/n.npy $i/m.npy
faulty compress --threads 2 -o z.rfi $i/n.npy
faulty compress --threads 1 -o z.rfi -f json $i/p.pgm
faulty compress --threads 1 -o z.rfi --report r.html -f csv $i/n.npy
faulty compress --threads 1 -q -o alpha.rfi $i/alpha.png
faulty decompress --threads 2 --scale 2 -o o.tif $i/z.rfi
faulty decompress --threads 1 -q -o o.png $i/alpha.rfi
faulty decompress --threads 1 -o o.png --export-ascii t.txt $i/z.rfi
faulty decompress --threads 2 --export-ascii t.txt --original $i/n.npy $i/z.rfi
# By libvips, when all faults are tried: most of them end in GLib, some on threads of its own.
[ -n "$runs" ] || faulty decompress --threads 1 -o o.webp $i/z.rfi
faulty upscale --threads 2 --scale 2 -o o.pgm $i/p.pgm
faulty ifs --threads 2 --size 9x7 -o o.png $i/maps.json
faulty compare --threads 2 -f json $i/n.npy $i/z.rfi
faulty info -f json $i/t.tif $i/v.nii $i/n.npy
faulty version
faulty help boxcount
exit $failed
