# SPDX-License-Identifier: BSD-3-Clause
#
# Refitting the printed table gives the printed dimension, error and R2.
"$RUGOSE" boxcount -q -o dims.csv --counts counts.csv $DATA/camera.png
awk -F, -v lo="$(column dims.csv size_min)" -v hi="$(column dims.csv size_max)" \
    -v d="$(column dims.csv dimension)" -v e="$(column dims.csv std_error)" \
    -v r="$(column dims.csv r_squared)" '
    NR > 1 && $2 >= lo && $2 <= hi {
        x = -log($2); y = log($4)
        n++; sx += x; sy += y; sxx += x * x; sxy += x * y; syy += y * y
    }
    function near(name, a, b) {
        if (a - b > 1e-9 || b - a > 1e-9) print name ": refit " a ", printed " b
    }
    END {
        vx = sxx - sx * sx / n; vy = syy - sy * sy / n; c = sxy - sx * sy / n
        near("dimension", c / vx, d)
        near("r_squared", c * c / vx / vy, r)
        near("std_error", sqrt((vy - c * c / vx) / (n - 2) / vx), e)
        print n " sizes refitted"
    }' counts.csv
