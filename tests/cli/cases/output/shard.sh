# SPDX-License-Identifier: BSD-3-Clause
#
# --shard K/N takes every N-th input from the K-th; the rows of all shards are those of one run.
for i in 1 2 3 4 5; do make_image s$i.npy shape=2${i}x20 fill=noise; done
printf 'image,labels\ns1.npy,s1.npy\ns2.npy,s2.npy\n' >list.csv
run() { "$RUGOSE" boxcount -q "$@" s*.npy 2>/dev/null; }
run -o all.csv
for k in 1 2; do
    run --shard $k/2 -o $k.csv
    cut -d , -f 1 $k.csv
done
{ tail -n +2 1.csv; tail -n +2 2.csv; } | sort >shards
tail -n +2 all.csv | sort | cmp - shards
run --shard 2/3 -f json >a.json
json_values a.json parameters.shard results.0.image results.1.image
title "after the list, and a shard without inputs"
"$RUGOSE" boxcount -q --shard 2/2 --list list.csv -f csv
"$RUGOSE" boxcount -q --shard 3/3 --list list.csv -f csv
"$RUGOSE" boxcount -q --shard 3/3 --list list.csv -f json >empty.json
check_json empty.json
"$RUGOSE" boxcount -q --shard 3/3 --list list.csv -o empty.csv
cat empty.csv
title "resumed"
"$RUGOSE" boxcount -q --shard 2/2 --resume -o 3.csv s*.npy 2>/dev/null
cmp 2.csv 3.csv
title "a plot of the inputs of a shard"
"$RUGOSE" boxcount -q --plot a.gp --shard 1/5 -o a.csv s*.npy 2>/dev/null
grep -c "set label 2 .s1.npy" a.gp
title "a folder in a list is one shard's"
mkdir folder
cp s3.npy s4.npy folder
printf 'image\ns1.npy\nfolder\ns2.npy\n' >folders.csv
for k in 1 2; do
    "$RUGOSE" boxcount -q --shard $k/2 --list folders.csv -f csv 2>/dev/null | cut -d , -f 1
done
title "refused"
printf 'x,y\n1,2\n3,5\n4,4\n8,9\n' | tee a.csv >b.csv
printf 'image\na.csv\nb.csv\n' >points.csv
exits 2 "$RUGOSE" boxcount -q --shard 1/2 -o b.csv a.csv b.csv
exits 2 "$RUGOSE" boxcount -q --shard 1/2 -o b.csv --list points.csv
for k in 0/2 3/2 2 /2 1/ 1/0 -1/2 1/2/3 a/b 1/99999999999 ''; do
    exits 2 "$RUGOSE" boxcount -q --shard "$k" s1.npy
done
exits 2 "$RUGOSE" train --shard 1/2 --model m.json $DATA/textures/train
exits 2 "$RUGOSE" compare --shard 1/2 s1.npy s2.npy
