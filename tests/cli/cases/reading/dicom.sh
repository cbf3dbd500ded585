# SPDX-License-Identifier: BSD-3-Clause
#
# DICOM: files, folders of one and of several series, frames, and masks of other programs.
d=$DATA/dicom
"$RUGOSE" info --range $d/little.dcm $d/inverted.dcm $d/padded.dcm $d/rgb.dcm $d/frames.dcm
"$RUGOSE" info $d/ct $d/enhanced.dcm $d/times $d/uneven
echo "--- a folder in a folder is a volume"
mkdir study
ln -s "$PWD/$d/ct" study/head
"$RUGOSE" info -q study
echo "--- several series"
"$RUGOSE" info $d/two || echo "exit status $?"
"$RUGOSE" info -f csv -q --series 2 $d/two
"$RUGOSE" info --series 2 $d/ct || echo "exit status $?"
"$RUGOSE" info --volume $d/ct/slice0 $d/ct/slice1 || echo "exit status $?"
echo "--- a mask that another program made as NIfTI lies where the series does"
"$RUGOSE" boxcount -f csv --foreground above=1000 --mask $d/mask.nii.gz $d/ct
"$RUGOSE" boxcount -f csv -q --mask-above 1000 --mask $d/ct $d/ct
"$RUGOSE" info -f json -q --series 1 $d/ct >series.json
json_values series.json parameters.series
echo "--- a range of padding; no preamble"
"$RUGOSE" info -f csv --range $d/padded_range.dcm $d/padded_white.dcm $d/bare_implicit.dcm
"$RUGOSE" info -f json -q --range $d/padded_range.dcm >range.json
json_values range.json results.0.read.nodata results.0.read.nodata_limit results.0.read.nodata_pixels
"$RUGOSE" compare $d/padded_range.dcm $d/padded_range.dcm
echo "--- other files in the folder"
mkdir mixed few
cp $d/ct/* mixed/
cp $d/ct/slice0 few/
for file in 1 2; do cp $d/grey.npy mixed/$file.npy && cp $d/grey.npy few/$file.npy; done
"$RUGOSE" info -f csv mixed
"$RUGOSE" info -f csv -q few
"$RUGOSE" info --raw u8,2x2 mixed || echo "exit status $?"
echo "--- no patient in any output"
for file in $d/ct $d/little.dcm; do
    "$RUGOSE" info -v -f json $file 2>&1 | grep -c Secret || true
done
