# SPDX-License-Identifier: BSD-3-Clause
#
# Rows of pages say which page they are.
make_image stack.tif shape=2x16x16 fill=steps
"$RUGOSE" boxcount -qf json --page all stack.tif >a.json
for i in 0 1; do
    check_json a.json results.$i.image
    check_json a.json results.$i.read.page
done
check_json a.json parameters.page
