# A part reads its own layers: the bytes that the program reads are counted by the system.
rchar() { sed -n 's/^rchar: //p' /proc/$$/io 2>/dev/null || echo 0; }
within() {
    most=$1
    shift
    before=$(rchar)
    "$@"
    after=$(rchar)
    [ $((after - before)) -le "$most" ] || echo "$((after - before)) bytes read, at most $most expected: $*"
}
title volumes of 256 MiB, nearly all of them a hole: the fifth of 32 parts
make_image a.npy shape=1x256x256 dtype=u8 fill=checker promise=4096x256x256
make_image a.nii shape=1x256x256 dtype=u8 fill=checker promise=4096x256x256
printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 256 256 4096\nencoding: raw\n\n' >a.nrrd
for name in a.npy a.nii a.nrrd; do
    truncate -s $((4096 * 65536 + 1000)) $name
    within $((128 * 65536 + 200000)) \
        "$RUGOSE" boxcount --foreground nonzero --part 5/32 -q $name -o $name.rgs
    within 200000 "$RUGOSE" boxcount --foreground nonzero --part 1/4096 -q $name -o $name.1.rgs
done
title a TIFF file of 4 MiB: the last of 4 parts
make_image a.tif shape=2048x2048 dtype=u8 fill=noise high=200
within $((1024 * 1024 + 300000)) "$RUGOSE" boxcount --foreground above=100 --part 4/4 -q a.tif -o a.rgs
