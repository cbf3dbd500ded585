# SPDX-License-Identifier: BSD-3-Clause
#
# Files of no format that is read: nothing is found in them, and what they are is said.
{
    printf '\0\0\2\0\5\0\11\0\3\0\7\0\050\0\036\0\10\0' # the head of a TGA file, 40 x 30
    head -c 8000 /dev/zero
} >raw.bin
{ head -c 128 /dev/zero && printf DICM && head -c 500 /dev/zero; } >a.dcm
printf '\211HDF\r\n\032\n' >a.h5
printf 'BM\66\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0' >a.bmp
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' >a.svg
printf '%%PDF-1.4\n' >a.pdf
mkdir a.zarr && echo '{}' >a.zarr/.zgroup
for file in raw.bin a.dcm a.h5 a.bmp a.svg a.pdf a.zarr; do
    exits 1 "$RUGOSE" info -f csv "$file" 2>&1 | grep -v '^image,'
done
