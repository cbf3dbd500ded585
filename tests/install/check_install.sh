#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs a build into a scratch folder and uses it as others do: through pkg-config and through
# find_package, shared and static. Usage: check_install.sh SOURCE_FOLDER BUILD_FOLDER C_COMPILER
set -eu

source=$1
build=$2
cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
failed=0

complain() {
    echo "$*"
    failed=1
}

cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
pc=$(find "$prefix" -name rugose.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="$libdir/pkgconfig"
image=$source/tests/data/bin_sierpinski_256.png

cat >"$work/expected" <<'END'
1: 729
2: 243
4: 81
8: 27
16: 9
32: 3
64: 1
D = 1.584963
END
expect() { # FILE PROGRAM...: the program prints what is in the file
    file=$1
    shift
    env LD_LIBRARY_PATH="$libdir" "$@" >"$work/out" 2>&1 || complain "$* failed"
    diff "$file" "$work/out" || complain "$* prints something else"
}
echo "256x256 u8" >"$work/size"

# pkg-config. A static library needs its name in full: the linker prefers a shared one. All
# libraries around it stay shared.
static_of() {
    pkg-config --static --libs "$1" | sed -e "s|-lrugose-io|$libdir/librugose-io.a|" \
        -e "s|-lrugose\b|$libdir/librugose.a|g"
}
cd "$work"
example=$source/examples/count.c
$cc "$example" $(pkg-config --cflags --libs rugose) -o pc-shared
$cc "$example" $(pkg-config --cflags rugose) $(static_of rugose) -o pc-static
$cc "$source/tests/install/read_size.c" $(pkg-config --cflags --libs rugose-io) -o pc-read-shared
$cc "$source/tests/install/read_size.c" $(pkg-config --cflags rugose-io) $(static_of rugose-io) \
    -o pc-read-static
expect expected ./pc-shared
expect expected ./pc-static
expect size ./pc-read-shared "$image"
expect size ./pc-read-static "$image"

# find_package, in a folder to which the installation was moved.
mv "$prefix" "$work/moved"
prefix=$work/moved
libdir=$prefix/${libdir#"$work/prefix/"}
# DICOM is read by a program of its own, which is found from where the program or library lies.
if [ -x "$prefix/libexec/rugose/rugose-dicom" ]; then
    echo "5x24 f32" >volume # its first two axes
    expect volume ./pc-read-shared "$source/tests/data/dicom/ct"
    ln -s "$prefix/bin/rugose" linked
    for program in rugose ./linked; do
        (PATH="$prefix/bin:$PATH" && $program info -q -f csv "$source/tests/data/dicom/ct") >out 2>&1 &&
            grep -q ',dicom,5x24x20,' out || complain "$program reads no DICOM: $(cat out)"
    done
elif grep -q '^gdcm_MSFF:.*=/' "$build/CMakeCache.txt"; then
    complain "rugose-dicom is not installed"
fi

user_project() { # VERSION_ASKED
    cmake -G Ninja -S "$source/tests/install" -B "$work/user" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$cc" -DEXAMPLE="$example" -DASKED="$1" >"$work/log" 2>&1
}
if user_project 0.2 &&
    cmake --build "$work/user" >>"$work/log" 2>&1; then
    for ending in '' -static; do
        expect expected "$work/user/count$ending"
        expect size "$work/user/read$ending" "$image"
    done
else
    cat "$work/log"
    complain "find_package(rugose) does not work"
fi

# Which versions may be asked for: those that have the same interface, up to this one.
version=$(pkg-config --modversion "$libdir/pkgconfig/rugose.pc")
for asked in 0.2.0 "$version" 0.2...1; do
    user_project "$asked" || complain "find_package(rugose $asked) fails: $version is installed"
done
for asked in 0.1 0.1.9 0.99 1.0 "0.2...<$version"; do
    if user_project "$asked"; then complain "find_package(rugose $asked) accepts $version"; fi
done

# The libraries: soname, links, and what they need.
abi=$(sed -n 's/^set(RUGOSE_ABI \([0-9]*\))/\1/p' "$source/CMakeLists.txt")
for name in rugose rugose-io; do
    library=$libdir/lib$name.so
    soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    [ "$soname" = "lib$name.so.$abi" ] || complain "soname of $library is '$soname'"
    [ -f "$libdir/$soname" ] || complain "$libdir/$soname is missing"
    [ -f "$library.$abi.$version" ] || complain "$library.$abi.$version is missing"
    if readelf -d "$library" | grep -E '\((RPATH|RUNPATH)\)'; then complain "$library has a run path"; fi
done
needs() { # NAME: what a library is linked to, but for what C itself needs
    readelf -d "$libdir/lib$1.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(lib(c|m|dl|pthread)\.so|ld-linux)' || true
}
[ -z "$(needs rugose)" ] || complain "librugose.so needs" $(needs rugose)
# Libraries of formats are loaded when a file needs them.
others=$(needs rugose-io | grep -vE '^lib(rugose|json-c)\.so' || true)
[ -z "$others" ] || complain "librugose-io.so needs" $others
if grep -E 'vips|tiff|zlib|png|nifti|isal' "$libdir/pkgconfig/rugose-io.pc"; then
    complain "rugose-io.pc asks for libraries that are loaded at run time"
fi

# The program and its documents.
for file in bin/rugose share/man/man1/rugose.1 share/bash-completion/completions/rugose \
    include/rugose/rugose.h include/rugose/io.h; do
    [ -s "$prefix/$file" ] || complain "$file is not installed"
done
"$prefix/bin/rugose" version | grep -q "^rugose $version\$" || complain "the program's version is not $version"
"$prefix/bin/rugose" help --man | cmp - "$prefix/share/man/man1/rugose.1" || complain "the manual page differs"
"$prefix/bin/rugose" help --completion | cmp - "$prefix/share/bash-completion/completions/rugose" ||
    complain "the completion differs"
bash -n "$prefix/share/bash-completion/completions/rugose" || complain "the completion is no bash script"
exit $failed
