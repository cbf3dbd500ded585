# SPDX-License-Identifier: BSD-3-Clause
#
# A page is written as its rows come: that of a run that was killed and gone on with is that of a run
# that nobody stopped, and so is that of any number of threads; but for times and threads.
for i in 1 2 3 4 5 6 7; do make_image s$i.npy shape=16x1$i fill=noise high=$((i * 3)); done
cp s7.npy slow.npy
inputs='s1.npy none.npy s2.npy s3.npy slow.npy s4.npy s5.npy s6.npy'
options='--window 31 --features contrast --map map-{}.tif'

# What depends on the machine, and on how the run was asked for.
plain() { sed -e '/^"command_line":/d' -e '/^"seconds":/d' -e '/^"engine":/d' $1; }
same() { plain $1 >one && plain $2 >two && cmp one two; }

exits 1 "$RUGOSE" haralick -q $options -o whole.csv --report whole.html --threads 1 $inputs
title "threads"
exits 1 "$RUGOSE" haralick -q $options -o four.csv --report four.html --threads 4 $inputs
same whole.html four.html
check_page four.html four.csv
title "resumed"
make_image slow.npy shape=2048x2048 fill=noise high=63
killed_behind 4 a.csv "$RUGOSE" haralick -q --threads 1 $options -o a.csv --report a.html $inputs
cp s7.npy slow.npy
ls a.*
exits 1 "$RUGOSE" haralick $options --resume --threads 2 -o a.csv --report a.html $inputs
cmp a.csv whole.csv
same a.html whole.html
check_page a.html a.csv
ls a.*
title "without the page it is another run"
make_image slow.npy shape=2048x2048 fill=noise high=63
killed_behind 4 a.csv "$RUGOSE" haralick -q --threads 1 $options -o a.csv --report a.html $inputs
cp s7.npy slow.npy
exits 2 "$RUGOSE" haralick $options --resume -o a.csv $inputs
exits 2 "$RUGOSE" haralick $options --resume -o a.csv --report - $inputs
title "shards"
exits 0 "$RUGOSE" haralick -q --shard 2/4 --features contrast -o shard.csv --report shard.html s1.npy s2.npy s3.npy
check_page shard.html shard.csv
