# SPDX-License-Identifier: BSD-3-Clause
#
# The cascade whose dimensions are known, as a TIFF file and as an array; an even image; a set.
values=$(cascade_values)
make_image c64.tif dtype=u16 shape=64x64 values="$values"
make_image c64.npy dtype=u16 shape=64x64 values="$values"
"$RUGOSE" multifractal -f csv --q -5,-2,-1,0,1,2,5 --fit 1..32 c64.tif
title "the same numbers from an array, and from floats"
make_image c64_f64.npy dtype=f64 shape=64x64 values="$values"
"$RUGOSE" multifractal -qf csv c64.tif | sed 's/^[^,]*//' >tif.csv
for file in c64.npy c64_f64.npy; do
    "$RUGOSE" multifractal -qf csv $file | sed 's/^[^,]*//' | cmp - tif.csv && echo same
done
title "by the formulas: D_q, tau, alpha and f of factors p = 0.4, 0.3, 0.2, 0.1, all 41 orders"
"$RUGOSE" multifractal -qf csv --fit 1..32 c64.tif | awk -F, '
    NR == 1 { next }
    {
        q = $2
        z = e = m = h = 0
        for (i = 1; i <= 4; i++) { p[i] = i / 10; z += p[i] ^ q; e -= p[i] * log(p[i]) / log(2) }
        for (i = 1; i <= 4; i++) {
            mu = p[i] ^ q / z
            m -= mu * log(p[i]) / log(2)
            h -= mu * log(mu) / log(2)
        }
        tau = -log(z) / log(2)
        d = q == 1 ? e : tau / (q - 1)
        wanted = tau " " d " " m " " h
        split(wanted, w, " ")
        is[1] = $3; is[2] = $5; is[3] = $7; is[4] = $8
        for (i = 1; i <= 4; i++)
            if (is[i] - w[i] < 1e-4 && w[i] - is[i] < 1e-4) n++
            else print "q " q ": " is[i] " instead of " w[i]
        if ($13 == "ok") ok++
    }
    END { print n " numbers agree, " ok " orders are ok" }'
title "an even image: D is 2 at every order, and the spectrum is a point"
make_image even.npy shape=64x64 low=7 high=7
"$RUGOSE" multifractal -f csv --fit 1..32 even.npy | awk -F, '
    NR > 1 { seen[sprintf("%.6f %.6f %.6f %s", $5, $7, $8, $13)]++ }
    END { for (line in seen) print line ": " seen[line] " orders" }'
title "a set: D0 is that of boxcount to the last bit"
make_image s64.npy shape=64x64 fill=sierpinski
"$RUGOSE" multifractal -f csv --foreground auto --q 0,1,2 s64.npy
"$RUGOSE" multifractal --q -2,0,2 $DATA/camera.png
for image in s64.npy $DATA/bin_retina_vessels.png $DATA/menger_81.nii.gz; do
    "$RUGOSE" multifractal -qf csv --foreground auto --q 0 $image >m.csv 2>log
    "$RUGOSE" boxcount -qf csv $image >b.csv 2>log
    [ "$(column m.csv D),$(column m.csv D_error),$(column m.csv size_max)" = \
        "$(column b.csv dimension),$(column b.csv std_error),$(column b.csv size_max)" ] && echo equal
done
title "orders by steps of a tenth, with the one at 1"
"$RUGOSE" multifractal -qf csv --q -0.3..1.2:0.1 --fit 1..32 c64.tif | cut -d, -f 2,5
