# SPDX-License-Identifier: BSD-3-Clause
#
# Files of no format that is read: nothing is found in them, and what they are is said.
{
    printf '\0\0\2\0\5\0\11\0\3\0\7\0\050\0\036\0\10\0' # the head of a TGA file, 40 x 30
    head -c 8000 /dev/zero
} >raw.bin
{ head -c 128 /dev/zero && printf DICM && head -c 500 /dev/zero; } >a.dcm
printf 'NRRD0004\ntype: uint8\n' >a.nrrd
printf 'ObjectType = Image\nNDims = 3\n' >a.mhd
printf 'BM\66\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0' >a.bmp
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' >a.svg
printf '%%PDF-1.4\n' >a.pdf
for file in raw.bin a.dcm a.nrrd a.mhd a.bmp a.svg a.pdf; do
    exits 1 "$RUGOSE" info -f csv "$file" 2>&1 | grep -v '^image,'
done
