# SPDX-License-Identifier: BSD-3-Clause
#
# The picture on a page has few enough colours for a palette (colour type 3 of PNG; 0 is grey, 2 is RGB),
# whatever it shows: all greys, shares of cells that were counted, greys outside the mask, stripes,
# outlines and numbers. --overlay has all colours.
make_image ramp.npy shape=420x600 fill=ramp high=250 dtype=f32 nan=9000
make_image mask.npy shape=420x600 fill=noise
make_image labels.npy shape=420x600 fill=full side=300

colour_type() { od -An -j25 -N1 -tu1 "$1"; }

# shown COMMAND WORD...: the picture on its page.
shown() {
    "$RUGOSE" "$@" -q --overlay file.png --report page.html >/dev/null 2>&1
    sed -n 's/.*"png":"\([^"]*\)".*/\1/p' page.html | tr -d '\\' | base64 -d >page.png
    echo "$*:" $(colour_type page.png), in the file $(colour_type file.png)
    recount page.png
}
shown boxcount --foreground above=0 --mask mask.npy ramp.npy
shown boxcount --foreground above=60 --mask mask.npy --labels labels.npy ramp.npy
shown lacunarity --gray --mask mask.npy ramp.npy
