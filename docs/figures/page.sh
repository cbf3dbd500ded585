#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
#
# Makes docs/images/page.png, a picture of rugose.html with the vessels of a retina: page.sh BUILD PAGE, such
# as build/release build/web/rugose.html. It needs chromium and chromium-driver.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python3 "$root/tests/page/rugose_page.py" "$1/cli/rugose" "$root/tests/data" "$2" --picture "$root/docs/images/page.png"
