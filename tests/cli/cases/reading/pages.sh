# SPDX-License-Identifier: BSD-3-Clause
#
# A multi-page TIFF: its pages are slices, which is said, unless one page or every page is asked.
make_image stack.tif shape=5x16x16 fill=steps
title "nothing is asked"
"$RUGOSE" boxcount -f csv stack.tif
title "page 0"
"$RUGOSE" boxcount -f csv --page 0 --mask stack.tif stack.tif
title "page 2"
"$RUGOSE" boxcount -f csv --page 2 stack.tif
title "every page"
"$RUGOSE" boxcount -f csv --page all stack.tif
title "a volume"
"$RUGOSE" boxcount -f csv --volume stack.tif
title "info"
"$RUGOSE" info --range -f csv --page all stack.tif
"$RUGOSE" info --range -f csv --volume stack.tif
