# SPDX-License-Identifier: BSD-3-Clause
#
# normalise FILE: what the program printed, without what depends on the machine: the engine's name
# (cpu-avx512, cpu-avx2, cpu-ref), "N threads", times in ms and their spread, the version in JSON, and in numbers
# what libm's last digits may change: those of more than 11 digits are rounded to 10, and those
# below 1e-12 become 0. A line that the thread sanitizer's symbolizer prints is left out.

normalise() {
    sed -E -e '/^LLVMSymbolizer: |^==[0-9]+==WARNING: .*symbolizer!$/d' -e 's/cpu-(avx512|avx2|neon|ref)/ENGINE/g' -e 's/ENGINE +/ENGINE /g' \
        -e 's/engine +status/engine status/g' -e 's/[0-9]+ threads/N threads/g' \
        -e 's/[0-9.]+ ms/T ms/g' -e 's/spread [0-9.]+ %/spread P %/g' -e 's/"version": "[^"]*"/"version": "VERSION"/g' "$1" |
        awk '{
            out = ""
            while (match($0, /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {
                word = substr($0, RSTART, RLENGTH)
                if ((word ~ /e-/ && word + 0 < 1e-12))
                    word = "0"
                else if (word ~ /\./ && length(word) > 12)
                    word = sprintf("%.10g", word + 0)
                out = out substr($0, 1, RSTART - 1) word
                $0 = substr($0, RSTART + RLENGTH)
            }
            print out $0
        }'
}
