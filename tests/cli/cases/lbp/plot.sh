# SPDX-License-Identifier: BSD-3-Clause
#
# Plots of histograms: side by side, of labels and of planes.
make_image img.npy shape=20x30 fill=noise
make_image labels.npy shape=20x30 fill=blocks
make_image ball.nii shape=8x16x16 fill=noise
cp img.npy second.npy
"$RUGOSE" lbp -qf csv --normalize --lbp 4,1 --lbp 8,2 --plot a.gp img.npy | cut -d , -f 2-11
sed -n '/^\$panel1/,/^END/p' a.gp
grep -o 'set xlabel ".*"' a.gp
title "two images, labels, planes"
"$RUGOSE" lbp -q --lbp 4,1 --plot two.gp img.npy second.npy >two.txt
sed -n '/^\$panel1/,/^END/p' two.gp
grep -o ' title ".*"' two.gp
"$RUGOSE" lbp -q --lbp 4,1 --labels labels.npy --plot labels.gp img.npy >labels.txt
grep -o ' title ".*"' labels.gp
"$RUGOSE" lbp -q --lbp 4,1 --planes all --plot planes.gp ball.nii >planes.txt
grep -o ' title ".*"' planes.gp
"$RUGOSE" lbp -q --lbp 4,1 --planes all --plot '{}.gp' ball.nii >planes.txt
"$RUGOSE" lbp -q --lbp 4,1 --labels labels.npy --plot '{}.gp' img.npy >planes.txt
ls *_*.gp
title "many bins are an outline; without bins there is nothing to draw"
"$RUGOSE" lbp -q --method default --plot many.gp img.npy >many.txt
grep -o 'with histeps' many.gp
exits 2 "$RUGOSE" lbp -q --method var --plot var.gp img.npy
exits 2 "$RUGOSE" lbp -q --method var --map var.tif --plot var.gp img.npy
exits 2 "$RUGOSE" lbp -q --method default --lbp 24,3 --map m.tif --plot m.gp img.npy
