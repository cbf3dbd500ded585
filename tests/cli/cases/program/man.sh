# SPDX-License-Identifier: BSD-3-Clause
#
# The manual page: every option of every command, and mandoc finds nothing to complain about but
# the missing date (the page is made by the build, and a build has none).
"$RUGOSE" help --man >rugose.1
head -c 3 rugose.1 && echo
for option in $( for command in boxcount multifractal lacunarity haralick compress decompress upscale ifs compare; do "$RUGOSE" help $command; done | grep -o -- '--[a-z-]*' | sort -u); do
    grep -qF -- "$(echo "$option" | sed 's/-/\\-/g')" rugose.1 || echo "$option is missing"
done
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning rugose.1 | grep -v 'missing date' || true
    mandoc -T utf8 rugose.1 | sed 's/.\x08//g' | grep -c 'EXIT STATUS'
else
    grep -c 'EXIT STATUS' rugose.1
fi
