# SPDX-License-Identifier: BSD-3-Clause
#
# The version and what this build can do.
"$RUGOSE" version | sed -E -e '1s/ [0-9]+\.[0-9]+\.[0-9]+$/ X.Y.Z/' -e 's/^compiler: .*/compiler: C/' \
    -e 's/^(engines: cpu).*/\1 .../' -e 's/^(reports: HTML, with) .*/\1 .../' -e 's/(level:) [a-z0-9]+,/\1 LEVEL,/' -e 's/(, by| \(not read: built without) GDAL\)?$//'
"$RUGOSE" --version | cmp - "$("$RUGOSE" version >asked; echo asked)"
