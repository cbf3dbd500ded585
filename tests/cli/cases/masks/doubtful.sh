# SPDX-License-Identifier: BSD-3-Clause
#
# Masks that are none: fractions, grey values, JPEG files, the image itself. Ordinary ones are not warned of.
make_image img.npy shape=64x64 fill=ramp high=200
measure() {
    "$RUGOSE" haralick -f csv "$@" 2>lines.txt | cut -d, -f 1-3 | head -n 2
    grep -E ' mask|^mask|label image' lines.txt
}
title "a scaled label map, whose background is no 0"
make_image scaled.nii shape=2x2x4 dtype=i16 slope=1.0353 inter=-0.0471 values=0,0,0,0,0,0,1,1,0,0,0,0,0,2,2,2
make_image volume.npy shape=2x2x4 fill=noise
measure --mask scaled.nii volume.npy
measure --mask scaled.nii --mask-above 0.5 volume.npy
title "0 and 0.0039"
make_image faint.npy shape=64x64 dtype=f32 fill=sierpinski high=0.0039
measure --mask faint.npy img.npy
title "grey values; an image of a head"
make_image grey.npy shape=64x64 dtype=f32 fill=ramp high=1000
measure --mask grey.npy img.npy
measure --mask $DATA/nuclei3d.nii.gz $DATA/nuclei3d.nii.gz
title "a JPEG file"
base64 -d >disc.jpg <<'JPEG'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAAQABABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAABAAG/8QAIxABAAICAgEDBQAAAAAAAAAAAQIRAwUEBhIHIWETFDFBUf/aAAgBAQAAPwDP9F6XLsssvK5eWWHX4ZMFxp5znV0XdBYqnwftGd36DHQ8A2Wrz5c3Ex1HPHNKPnBWiQgCWhVWfJdXp13HiaGGbW7Q+nxMs3NHPGLJhOgSQWokSqPZ+Gx/qB3nX7PUup079xDkeMs2eUJRIhISMRBuwt/Ff2/b/9k=
JPEG
make_image small.npy shape=16x16 fill=checker
measure --mask disc.jpg small.npy
measure --mask disc.jpg --mask-above 128 small.npy
measure --labels disc.jpg small.npy
title "the image itself"
measure --mask img.npy img.npy
measure --labels img.npy img.npy
title "0 and 1, 0 and 255, 0.0 and 1.0, NaN outside"
make_image one.npy shape=64x64 fill=sierpinski
make_image 255.npy shape=64x64 fill=sierpinski high=255
make_image real.npy shape=64x64 dtype=f32 fill=sierpinski nan=2
for mask in one 255 real; do measure --mask $mask.npy img.npy; done
