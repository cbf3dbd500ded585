# SPDX-License-Identifier: BSD-3-Clause
#
# Integers are measured as integers whether or not a file names a value for pixels without data:
# the same numbers, lines and JSON when no pixel has it.
compare_both() { # DTYPE NODATA COMMAND...
    dtype=$1 nodata=$2
    shift 2
    mkdir -p plain tagged
    make_image plain/a.tif shape=45x38 fill=ramp low=3 high=117 dtype=$dtype
    make_image tagged/a.tif shape=45x38 fill=ramp low=3 high=117 dtype=$dtype nodata=$nodata
    for kind in plain tagged; do
        (cd $kind && "$RUGOSE" "$@" -f json a.tif) >$kind.json 2>$kind.err
        sed -i 's/, nodata [0-9-]*: 0 % left out//' $kind.err
        sed -i '/"nodata\|"sha256/d' $kind.json
    done
    cmp plain.json tagged.json && cmp plain.err tagged.err || echo "differs: $dtype $*"
}
for type in "u8 255" "u16 65535" "i16 -32768"; do
    compare_both $type boxcount
    compare_both $type boxcount --foreground otsu-dark --grid min
    compare_both $type boxcount --gray
    compare_both $type boxcount --gray --anchor min --levels 100
    compare_both $type haralick --features all
    compare_both $type haralick --levels 16 --range type
    compare_both $type haralick --bin-width 5 --pairs frame
    compare_both $type lbp --lbp 8,1 --lbp 16,2.5 --exact decimal
    compare_both $type lbp --method default --border skip
    compare_both $type lbp --interpolation nearest
    compare_both $type multifractal --q 0,1,2
    compare_both $type multifractal --method alpha --slices 4
    compare_both $type lacunarity --sizes 1,2,4 --gray
    compare_both $type info --range
done
echo "compared"
