# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the arrays and rasters of this folder: h5py 3.16, netCDF4 1.7, zarr 3 with numcodecs 0.16, ome-zarr
# and rasterio 1.4. Voxel z, y, x of a volume is 100 z + 10 y + x.
import json
import os
import shutil

import h5py
import netCDF4
import numcodecs
import numpy as np
import rasterio
import zarr
from ome_zarr.format import FormatV04
from ome_zarr.writer import write_multiscale, write_multiscale_labels
from rasterio.shutil import copy
from rasterio.transform import Affine

v = np.add.outer(np.add.outer(np.arange(4) * 100, np.arange(5) * 10), np.arange(6)).astype("u2")

# HDF5: one array; several of all types; what ilastik exports.
with h5py.File("volume.h5", "w") as f:
    f.create_dataset("a/volume", data=v, chunks=(3, 2, 4), compression="gzip")
with h5py.File("several.h5", "w") as f:
    f["raw"] = v
    f["raw"].attrs["element_size_um"] = np.array([2, 0.5, 0.5], "f4")
    f["seg/labels"] = (v > 200).astype("u1")
    f["bool"] = v[0] > 20
    f["half"] = v[0].astype("f2")
    f["i8"] = (v[0].astype("i4") - 20).astype("i1")
    f["i64"] = v[0].astype("i8") - (1 << 60)
    f["u64"] = v[0].astype("u8") + (1 << 63)
    f["big"] = v[0].astype(">u2")
    f["f64"] = v[0].astype("f8") / 4
    f["complex"] = v[0].astype("c8")
    f["line"] = np.arange(5.0)
    f["four"] = np.stack([v, v + 1000])
    f["flat"] = v[None, :1]
tags = {"axes": [{"key": k, "typeFlags": 1 if k == "c" else 2, "resolution": 0, "description": ""} for k in "zyxc"]}
with h5py.File("ilastik.h5", "w") as f:
    d = f.create_dataset("exported_data", data=np.stack([v, v + 1000], -1).astype("f4"), chunks=(2, 5, 6, 2))
    d.attrs["axistags"] = json.dumps(tags)

# NetCDF: heights over time, scaled, with a value for no data.
for name, kind in (("height.nc", "NETCDF3_CLASSIC"), ("height4.nc", "NETCDF4")):
    with netCDF4.Dataset(name, "w", format=kind) as n:
        for axis, size in (("time", 2), ("lat", 5), ("lon", 6), ("bnds", 2)):
            n.createDimension(axis, size)
        t = n.createVariable("time", "f8", ("time",))
        t[:] = [0, 1]
        y = n.createVariable("lat", "f8", ("lat",))
        y[:] = 50 - 0.25 * np.arange(5)
        y.units = "degrees_north"
        y.bounds = "lat_bnds"
        x = n.createVariable("lon", "f8", ("lon",))
        x[:] = 5 + 0.25 * np.arange(6)
        x.units = "degrees_east"
        b = n.createVariable("lat_bnds", "f8", ("lat", "bnds"))
        b[:] = np.stack([y[:] - 0.125, y[:] + 0.125], -1)
        h = n.createVariable("height", "i2", ("time", "lat", "lon"), fill_value=-9999)
        h.set_auto_maskandscale(False)
        h.scale_factor, h.add_offset = 0.5, 10.0
        a = v[:2].astype("i2")
        a[0, 0, :2] = -9999
        h[:] = a

# Zarr, version 2: chunks that do not fit, Blosc, none; version 3.
for name in ("volume.zarr", "group.zarr", "ome.zarr", "v3.zarr"):
    shutil.rmtree(name, ignore_errors=True)
zarr.create_array("volume.zarr", shape=v.shape, dtype="u2", chunks=(3, 2, 4), zarr_format=2,
                  compressors=numcodecs.Zlib())[:] = v
g = zarr.create_group("group.zarr", zarr_format=2)
g.create_array("inner/a", shape=v.shape, dtype="u2", chunks=(4, 5, 6), compressors=numcodecs.Blosc())[:] = v
g.create_array("b", shape=(5, 6), dtype="i1", chunks=(5, 6), compressors=None)[:] = v[0].astype("i1") - 20
zarr.create_array("v3.zarr", shape=v.shape, dtype="u2", chunks=(4, 5, 6), zarr_format=3)[:] = v

# OME-Zarr 0.4: two channels, two levels, labels.
g = zarr.open_group("ome.zarr", mode="w", zarr_format=2)
axes = [{"name": "c", "type": "channel"}] + [{"name": k, "type": "space", "unit": "micrometer"} for k in "zyx"]
scales = [[1, 2, 0.5, 0.5], [1, 2, 1, 1]]
big = np.add.outer(np.add.outer(np.arange(2) * 100, np.arange(6) * 10), np.arange(8)).astype("u2")
both = np.stack([big, big + 1000])
write_multiscale([both, both[:, :, ::2, ::2]], g, fmt=FormatV04(), axes=axes,
                 coordinate_transformations=[[{"type": "scale", "scale": s}] for s in scales])
labels = (big > 100).astype("u1")
write_multiscale_labels([labels, labels[:, ::2, ::2]], g, name="cells", fmt=FormatV04(), axes=axes[1:],
                        coordinate_transformations=[[{"type": "scale", "scale": s[1:]}] for s in scales])
for folder, _, files in os.walk("."):
    if ".zattrs" in files and os.path.getsize(folder + "/.zattrs") < 4:
        os.remove(folder + "/.zattrs")

# Rasters of one place.
d = v[0].astype("f4") + 100
d[0, :2] = -9999
place = Affine(30, 0, 500000, 0, -30, 4600000)
for name, driver, bands in (("dem.img", "HFA", d[None]), ("bands.dat", "ENVI", np.stack([d, d + 1]).astype("i2"))):
    with rasterio.open(name, "w", driver=driver, height=5, width=6, count=len(bands), dtype=bands.dtype.name,
                       transform=place, crs="EPSG:32633", nodata=-9999) as f:
        f.write(bands)
    if driver == "HFA":
        copy(name, "dem.grb2", driver="GRIB")
    if os.path.exists(name + ".aux.xml"):
        os.remove(name + ".aux.xml")

# Rasters that lie elsewhere: in degrees; turned, in a system that has no number.
laea = "+proj=laea +lat_0=52.3 +lon_0=10.2 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs"
for name, place, crs in (("degrees.dat", Affine(0.1, 0, 5.03, 0, -0.1, 50.7), "EPSG:4326"),
                         ("turned.dat", Affine(20, 5, 4321000, 5, -20, 3210000), laea)):
    with rasterio.open(name, "w", driver="ENVI", height=5, width=6, count=1, dtype="uint8", transform=place,
                       crs=crs) as f:
        f.write(v[:1].astype("u1"))
