# SPDX-License-Identifier: BSD-3-Clause
#
# Files of no format that is read: nothing is found in them, and what they are is said.
{
    printf '\0\0\2\0\5\0\11\0\3\0\7\0\050\0\036\0\10\0' # the head of a TGA file, 40 x 30
    head -c 8000 /dev/zero
} >raw.bin
{ head -c 128 /dev/zero && printf DICM && head -c 500 /dev/zero; } >a.dcm
printf 'BM\66\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0' >a.bmp
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' >a.svg
printf '%%PDF-1.4\n' >a.pdf
for file in raw.bin a.bmp a.svg a.pdf; do
    exits 1 "$RUGOSE" info -f csv "$file" 2>&1 | grep -v '^image,'
done

# begins NAME BYTES: makes a file that begins so, as printf writes it.
begins() {
    printf "$2" >"$1"
    names="$names $1"
}
names=
begins a.mat 'MATLAB 5.0 MAT-file, Platform: GLNXA64'
begins b.mat 'MATLAB 7.3 MAT-file, Platform: GLNXA64'
begins a.czi 'ZISRAWFILE\0\0'
begins a.nd2 '\332\316\276\012'
begins a.lif '\160\0\0\0\0\1\0\0\052'
begins a.oib '\320\317\021\340\241'
begins Thumbs.db '\320\317\021\340\241'
begins a.oif '\377\376[\0'
begins a.vsi 'II*\0\10\0\0\0'
begins a.ics '\t\nics_version\t1.0'
begins a.dm3 '\0\0\0\3\0\0\0\20\0\0\0\1'
begins a.dm4 '\0\0\0\4\0\0\0\0\0\0\0\20\0\0\0\1'
begins a.spm '\\*File list\r\n'
begins a.gwy GWYP
begins a.hdr "\\134\\1\\0\\0$(printf '%0400d' 0)"
begins b.hdr "\\0\\0\\1\\134$(printf '%0400d' 0)"
begins a.par '# === DATA DESCRIPTION FILE ===='
begins a.v MATRIX72v
begins reco '##TITLE=Parameter List'
begins a.mgz '\037\213\10\0'
begins a.isq CTDATA-HEADER_V1
begins a.cr3 '\0\0\0\030ftypcrx '
begins a.psd 8BPS
begins a.xcf 'gimp xcf v011'
begins a.eps '\305\320\323\306'
begins a.ps '%%!PS-Adobe-3.0'
begins a.pam 'P7\nWIDTH 3\n'
begins a.tga '\0\0\2\0'
begins a.mp4 '\0\0\0\030ftypisom'
begins a.avi 'RIFF\0\0\0\0AVI LIST'
begins a.mkv '\032\105\337\243'
begins a.npz 'PK\3\4'
begins a.zip 'PK\3\4'
begins a.gz '\037\213\10\0'
begins a.bz2 BZh91AY
begins a.xz '\3757zXZ\0'
begins a.tif '<!DOCTYPE html><html></html>'
begins b.tif 'version https://git-lfs.github.com/spec/v1\n'
begins a.out '\177ELF\2\1'
begins notes '12 by 12 pixels: BM, MZ, P7\n'
begins noise 'BM\1\2\3\4\5\6\7\10\11'
exits 1 "$RUGOSE" info -f csv $names 2>&1 | grep '^rugose: [A-Za-z0-9.]*: '

# Also where libvips, which is asked for whole slides first, cannot be loaded.
mkdir broken
for library in /usr/lib/*/libvips.so.[0-9]* /usr/lib/libvips.so.[0-9]* libvips.so.42; do
    echo 'not a library' >"broken/${library##*/}"
done
exits 1 env LD_LIBRARY_PATH="$PWD/broken" "$RUGOSE" info -f csv a.bmp a.czi notes 2>&1 |
    grep '^rugose: [A-Za-z0-9.]*: '
