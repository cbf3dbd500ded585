#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the rugose authors
#
# Makes FOLDER/worker.txt of worker.js beside this file and the module rugose.js, FOLDER/notices.txt of the notices
# of libraries in it, and FOLDER/module.txt and FOLDER/threads.txt of rugose.wasm and rugose-threads.wasm beside
# the module: pack_worker.sh ESBUILD MODULE FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
esbuild=$1
module=$2
folder=$3

pack() { gzip -9nc "$1" | base64 -w 0 >"$2"; }

"$esbuild" "$here/worker.js" --bundle --format=iife --minify --target=es2022 --charset=utf8 --log-level=warning \
    --legal-comments=external "--define:import.meta.url=\"\"" "--alias:rugose-module=$module" "--outfile=$folder/worker_bundle.js"
pack "$folder/worker_bundle.js" "$folder/worker.txt"
mv "$folder/worker_bundle.js.LEGAL.txt" "$folder/notices.txt"
pack "${module%.js}.wasm" "$folder/module.txt"
pack "${module%.js}-threads.wasm" "$folder/threads.txt"
