# SPDX-License-Identifier: BSD-3-Clause
#
# Meshes are volumes of voxels, for every command that takes volumes.
star=$DATA/meshes/trimesh_binary.ply
title "surface"
"$RUGOSE" info -f csv --range --resolution 32 "$star"
"$RUGOSE" boxcount -f csv --counts - -o /dev/null --resolution 32 "$star"
title "inside"
"$RUGOSE" boxcount -f csv --counts - -o /dev/null --resolution 32 --solid "$star"
title "a folder; every format and writer has the same"
"$RUGOSE" boxcount -qf csv --resolution 32 --solid "$DATA/meshes" 2>/dev/null | cut -d, -f 2- | uniq -c | sed 's/^ *//'
title "other commands"
"$RUGOSE" lacunarity -qf csv --sizes 1,4 --resolution 32 --solid "$star"
"$RUGOSE" multifractal -qf csv --q 0,2 --resolution 32 "$star" 2>/dev/null | cut -d, -f 2,5
"$RUGOSE" boxcount -qf csv --gray --resolution 32 "$star" 2>/dev/null | cut -d, -f 2,3
title "boxes in the unit of the file"
"$RUGOSE" boxcount -qf csv --box-unit file --sizes 0.2,0.4 --resolution 32 --counts - -o /dev/null "$star" 2>/dev/null
title "parameters"
"$RUGOSE" lacunarity -qf json -o lacunarity.json --sizes 1 --resolution 32 "$star"
json_values lacunarity.json parameters.resolution
"$RUGOSE" boxcount -qf json -o out.json --resolution 32 --solid "$star" 2>/dev/null
json_values out.json parameters.resolution parameters.solid
title "an open mesh"
sed '/^f 1 /d' "$DATA/meshes/trimesh.obj" >open.obj
"$RUGOSE" boxcount -f csv --resolution 32 --solid open.obj | cut -d, -f 4
