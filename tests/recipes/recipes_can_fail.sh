#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that check_recipe.sh finds what it is for, with a page that is changed. Environment: RUGOSE (the
# program).
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check_recipe.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

page() { # the page that passes
    cat <<'END'
See [this](README.md).

```sh
mkdir -p out
cp tests/data/brick.png out/b.png
```

```yaml
not: run
```

```sh
rugose info -q -f csv out/b.png | cut -d, -f 1-3
rugose boxcount --gray out/b.png
```

```
image,format,shape
out/b.png,png,512x512
read out/b.png: 512x512 u8, range 63..207, 256 grey levels from 0
image      shape    levels  dimension  std_error  r_squared  size_min  size_max  n_sizes  method        engine   status
out/b.png  512x512     256    2.28784  0.0767024   0.994411         2       128        7  differential  cpu-ref  ok
```
END
}

run() { # SED_SCRIPT: what the check says of a changed page
    page | sed "$1" >"$work/README.md"
    "$check" "$work/README.md" >"$work/out" 2>&1
}
breaks() { # WHAT TEXT SED_SCRIPT
    if run "$3" || ! grep -q -- "$2" "$work/out"; then
        echo "not found: $1"
        cat "$work/out"
        failed=1
    fi
}

run '' || { cat "$work/out"; failed=1; }
breaks "another result" "shows something else below block 2" 's/^out.b.png,png,.*/out\/b.png,png,512x511/'
breaks "a line that is not printed" "^-more" 's/^image,format,shape/&\nmore/'
breaks "a line that is not shown" "^+read out/b.png" '/^read /d'
breaks "a warning that is not shown" "^+rugose: warning: " 's/boxcount --gray/& --fit 2..4/'
breaks "a failure" "a command fails" 's/^cp .*/cp missing out\/b.png/'
breaks "a block whose output is missing" "below block 1" 's/^mkdir.*/&\necho made/'
breaks "output without a command" "follows no command" 's/^not: run/&\n```\n\n```/'
breaks "a fence without an end" "has no end" '$d'
breaks "no commands" "no commands" '/^```sh/,$d'
breaks "a dead link" "leads to gone.md" 's/README.md/gone.md#there/'
touch "$work/other.md"
breaks "a page that is not linked" "does not link other.md" ''
rm "$work/other.md"

# --accept puts right what a page shows, and shows what it does not.
page | sed 's/2.28784/2.3/' >"$work/README.md"
"$check" --accept "$work/README.md"
"$check" "$work/README.md" || { echo "--accept does not put a page right"; failed=1; }
page | awk '{ print } /^```$/ && ++n == 3 { exit }' >"$work/README.md"
"$check" --accept "$work/README.md"
"$check" "$work/README.md" || { echo "--accept does not show what is printed"; failed=1; }
exit $failed
