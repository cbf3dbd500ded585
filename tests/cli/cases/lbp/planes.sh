# SPDX-License-Identifier: BSD-3-Clause
#
# A volume whose only texture lies along z: its slices are flat, the planes across them are not.
make_image z.npy shape=9x9x9 fill=layers low=1 high=9
title "a volume asks which planes"
exits 1 "$RUGOSE" lbp z.npy
title "texture along z alone"
"$RUGOSE" lbp -f csv --border skip --planes xy z.npy
"$RUGOSE" lbp -f csv --border skip --planes all z.npy
title "JSON says the plane; labels of a volume"
"$RUGOSE" lbp -qf json --planes xz z.npy >out.json
check_json out.json
grep '"plane"' out.json
make_image labels.npy shape=9x9x9 fill=blocks
"$RUGOSE" lbp -qf csv --planes all --labels labels.npy z.npy
title "the pages of a TIFF file"
make_image pages.tif shape=3x4x5
"$RUGOSE" lbp -qf csv --volume --planes xy pages.tif
