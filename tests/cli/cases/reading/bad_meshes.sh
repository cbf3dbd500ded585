# SPDX-License-Identifier: BSD-3-Clause
#
# Meshes need a resolution, which nothing else may have; and what is wrong with files.
cp "$DATA/meshes/trimesh.obj" star.obj
make_image a.npy shape=8x8x8
exits 1 "$RUGOSE" boxcount -q star.obj
exits 1 "$RUGOSE" boxcount -q --solid star.obj
exits 1 "$RUGOSE" boxcount -q --resolution 2 star.obj
exits 2 "$RUGOSE" lacunarity -q --resolution 0 star.obj
exits 1 "$RUGOSE" boxcount -q --resolution 8 a.npy
exits 1 "$RUGOSE" lacunarity -q --solid a.npy
exits 1 "$RUGOSE" boxcount -q --resolution 8 --nodata 0 star.obj
exits 2 "$RUGOSE" boxcount -q --resolution 8 --spacing 2 star.obj
exits 1 "$RUGOSE" boxcount -q --spacing 2 a.npy
printf '1,2\n3,4\n' >p.csv
exits 1 "$RUGOSE" boxcount -q --solid p.csv
title "files"
head -c 600 "$DATA/meshes/trimesh_binary.stl" >cut.stl
head -c 600 "$DATA/meshes/trimesh_binary.ply" >cut.ply
head -n 30 "$DATA/meshes/meshio_ascii.stl" >text.stl
printf 'v 0 0 0\nv 1 0 0\nf 1 2 3\n' >corner.obj
printf 'v 0 0 0\nv 1 0 0\n' >points.obj
printf 'v 1 2 3\nv 1 nan 3\nf 1 2 1\n' >nan.obj
exits 1 "$RUGOSE" boxcount -q --resolution 8 cut.stl cut.ply text.stl corner.obj points.obj nan.obj
