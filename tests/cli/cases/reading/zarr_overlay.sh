# SPDX-License-Identifier: BSD-3-Clause
#
# The picture of an image that is not kept in memory is that of the coarsest level of its pyramid that is large
# enough, here one that holds something else.
array() { # FOLDER SIDE CHUNK
    mkdir -p "$1"
    printf '{"chunks":[%d,%d],"compressor":null,"dtype":"<f8","fill_value":0,"filters":null,"order":"C","shape":[%d,%d],"zarr_format":2}' \
        "$3" "$3" "$2" "$2" >"$1/.zarray"
}
mkdir big.zarr
echo '{"zarr_format":2}' >big.zarr/.zgroup
echo '{"multiscales":[{"version":"0.4","axes":[{"name":"y","type":"space"},{"name":"x","type":"space"}],"datasets":[{"path":"0","coordinateTransformations":[{"type":"scale","scale":[1,1]}]},{"path":"1","coordinateTransformations":[{"type":"scale","scale":[4,4]}]}]}]}' >big.zarr/.zattrs
array big.zarr/0 8200 2050
array big.zarr/1 2050 50
make_image ones.npy shape=50x50 dtype=f64 fill=full
tail -c 20000 ones.npy >big.zarr/1/0.0
"$RUGOSE" boxcount -f csv --foreground above=1 --overlay o.png big.zarr
recount o.png 0,0 48,48 49,49
