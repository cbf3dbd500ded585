#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times the reading of volumes of other formats: formats.py RUGOSE FOLDER [RUNS].

Makes 512³ voxels of 16 bits (noise) in FOLDER, 2 GB in all, unless they are there, and a series of 256
DICOM slices of 512². Each round counts every file by rugose, with one thread and with all, and lets its
peer read it; then a neighbour keeps one processor busy, and all is done again. Prints the least seconds
on the clock of RUNS rounds (default 5), of whole processes. A peer that is not installed is named.
"""
import importlib
import os
import subprocess
import sys
import time

# What is made and read, and the peer that reads it.
FILES = [
    ("npy", "v.npy", "numpy", "numpy.load(f)"),
    ("raw", "v.raw", "numpy", "numpy.fromfile(f, '<i2')"),
    ("NRRD", "v.nrrd", "nrrd", "nrrd.read(f)"),
    ("MetaImage", "v.mha", "SimpleITK", "SimpleITK.ReadImage(f)"),
    ("MRC", "v.mrc", "mrcfile", "mrcfile.read(f)"),
    ("DICOM, 256 slices", "dicom", "SimpleITK",
     "r = SimpleITK.ImageSeriesReader(); r.SetFileNames(r.GetGDCMSeriesFileNames(f)); r.Execute()"),
    ("HDF5, gzip", "v.h5", "h5py", "h5py.File(f)['v'][:]"),
    ("Zarr, gzip", "v.zarr", "zarr", "zarr.open(f, mode='r')[:]"),
]


def make_dicom(folder, voxels):
    import pydicom
    from pydicom.uid import ExplicitVRLittleEndian
    os.mkdir(folder)
    for k, pixels in enumerate(voxels):
        meta = pydicom.dataset.FileMetaDataset()
        meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
        meta.MediaStorageSOPInstanceUID = f"1.2.3.{k + 1}"
        meta.TransferSyntaxUID = ExplicitVRLittleEndian
        d = pydicom.dataset.FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
        d.SOPClassUID, d.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
        d.SeriesInstanceUID, d.StudyInstanceUID, d.Modality, d.InstanceNumber = "1.2.9", "1.2", "CT", k
        d.Rows, d.Columns = pixels.shape
        d.SamplesPerPixel, d.PhotometricInterpretation = 1, "MONOCHROME2"
        d.BitsAllocated, d.BitsStored, d.HighBit, d.PixelRepresentation = 16, 16, 15, 1
        d.PixelSpacing, d.ImagePositionPatient = [1, 1], [0, 0, k]
        d.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
        d.PixelData = pixels.tobytes()
        d.save_as(f"{folder}/{k}.dcm", enforce_file_format=True)


def make(name, path, voxels):
    """Writes one file. The chunks of arrays are 64³, their gzip is of level 1."""
    import numpy
    if name == "v.npy":
        numpy.save(path, voxels)
    elif name == "v.raw":
        voxels.tofile(path)
    elif name == "v.nrrd":
        importlib.import_module("nrrd").write(path, voxels, {"encoding": "raw"}, index_order="C")
    elif name == "v.mha":
        itk = importlib.import_module("SimpleITK")
        itk.WriteImage(itk.GetImageFromArray(voxels), path)
    elif name == "v.mrc":
        with importlib.import_module("mrcfile").new(path) as out:
            out.set_data(voxels)
    elif name == "dicom":
        make_dicom(path, voxels[:256])
    elif name == "v.h5":
        with importlib.import_module("h5py").File(path, "w") as out:
            out.create_dataset("v", data=voxels, chunks=(64,) * 3, compression="gzip", compression_opts=1)
    else:
        codec = importlib.import_module("numcodecs").GZip(1)
        importlib.import_module("zarr").create_array(
            path, shape=voxels.shape, chunks=(64,) * 3, dtype="i2", zarr_format=2, compressors=codec)[:] = voxels


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def commands(program, folder):
    """The three commands of each file, by its row."""
    for title, name, module, code in FILES:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            continue
        ours = [program, "boxcount", "-q", "--foreground", "above=2048", path]
        ours += ["--raw", "i16,512x512x512"] if name == "v.raw" else []
        yield title, [ours + ["--threads", "1"], ours,
                      [sys.executable, "-c", f"import {module}; f = {path!r}; {code}"]]


def measure(program, folder, runs, load):
    rows = list(commands(program, folder))
    times = [[[seconds(c) for c in row] for _, row in rows] for _ in range(runs)]
    for i, (title, _) in enumerate(rows):
        least = [min(t[i][k] for t in times) for k in range(3)]
        print("\t".join([title, load] + [f"{s:.3f}" for s in least]), flush=True)


def main():
    import numpy
    program, folder = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    os.makedirs(folder, exist_ok=True)
    voxels = numpy.random.default_rng(0).integers(0, 4096, (512,) * 3).astype("<i2") & 0xff0
    for _, name, module, _ in FILES:
        path = os.path.join(folder, name)
        try:
            if not os.path.exists(path):
                make(name, path, voxels)
        except ImportError as why:
            print(f"# {name} is left out: {why}")
    print("case\tneighbour\t1 thread\tall threads\tpeer, reading alone")
    measure(program, folder, runs, "idle")
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        measure(program, folder, runs, "busy")
    finally:
        neighbour.kill()


main()
