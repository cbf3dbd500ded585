# SPDX-License-Identifier: BSD-3-Clause
#
# Inputs are done side by side, and nothing shows it: rows, lines, failures and files are those
# of one thread, whatever came first.
mkdir a b
for i in 1 2 3 4 5 6 7 8 9; do
    make_image a/n$i.npy shape=${i}0x1${i}7 fill=noise high=$((i * 20))
    make_image b/s$i.npy shape=64x64 fill=sierpinski side=$((1 + i * 7))
done
make_image a/large.npy shape=4200x4200 fill=sierpinski side=4096 # larger than CLI_LARGE_BYTES
make_image a/pages.tif shape=3x40x50 fill=noise
make_image a/flat.npy shape=30x30 fill=full
make_image a/nan.npy shape=30x30 dtype=f32 fill=ramp high=5 nan=7
head -c 60000 $DATA/camera.png >a/cut.png
printf '1 2\n3 4\n5 9\n' >a/points.txt
printf '1 2\nx 4\n' >a/bad.txt
make_image mask.npy shape=64x64 fill=steps
inputs="a/cut.png a/n1.npy a/large.npy a/pages.tif a/n2.npy a/missing.npy $DATA/camera.png a/n9.npy
    a/points.txt a/n3.npy a/flat.npy $DATA/menger_81.nii.gz a/n4.npy a/bad.txt a/n5.npy a/nan.npy
    a/n6.npy $DATA/bin_horse.png a/n7.npy a/missing2.npy a/large.npy a/n8.npy a/n1.npy b/s1.npy"

# same NAME STATUS OPTION...: a command writes the same with 1, 2, 3 and 8 threads. Its files are named
# with {}, or begin with "file.".
same() {
    name=$1
    status=$2
    shift 2
    for n in 1 2 3 8; do
        mkdir $name.$n
        sh -c 'cd "$0" && shift && for f; do case $f in a/* | b/* | data/* | mask.npy) set -- "$@" "../$f" ;;
            *) set -- "$@" "$f" ;; esac; shift; done && exec "$RUGOSE" "$@"' \
            $name.$n run "$@" --threads $n >$name.$n.out 2>$name.$n.err && got=0 || got=$?
        [ $got -eq $status ] || echo "$name: exit status $got with $n threads"
        cmp $name.1.out $name.$n.out
        cmp $name.1.err $name.$n.err
        diff -r $name.1 $name.$n
    done
    echo "$name: $(wc -l <$name.1.out) rows, $(wc -l <$name.1.err) lines, $(ls $name.1 | wc -l) files"
}

same boxcount 1 boxcount -f csv --counts file.csv $inputs
same plots 1 boxcount -f csv --plot '{}.gp' $(printf '%s\n' $inputs | awk '!known[$0]++')
same json 1 boxcount -f json --foreground above=50 --page all a/pages.tif a/n1.npy a/pages.tif a/cut.png
same masks 0 boxcount -f csv --mask mask.npy b/s1.npy b/s2.npy b/s3.npy b/s4.npy
same gray 1 boxcount --gray -f csv --counts file.csv $inputs
same multifractal 1 multifractal -f csv --moments file.csv --summary file2.csv $inputs
same haralick 0 haralick -f csv --levels 8 --window 5 --map '{}.tif' --features contrast,entropy b/s*.npy
same lbp 0 lbp -f csv --map '{}.tif' b/s*.npy
same lacunarity 1 lacunarity -f csv --sizes 3,5,9 --plot '{}.gp' a/n1.npy a/missing.npy b/s1.npy b/s2.npy
same info 1 info -f csv --range $inputs

title "streams: as without their seconds"
for n in 1 2 8; do
    mkdir coded.$n
    "$RUGOSE" decompress -f csv --threads $n -o "coded.$n/{}.png" $DATA/ifs/*.rfi 2>e.$n |
        awk -F, -v OFS=, -v n=$n '{ sub("coded." n, "coded"); $(NF - 1) = ""; print }' >t.$n
    cmp t.1 t.$n
    cmp e.1 e.$n
    diff -r coded.1 coded.$n
done
wc -l <t.1

title "models"
mkdir -p train/x train/y
cp b/s[1-5].npy train/x
cp a/n[1-5].npy train/y
for n in 1 2 8; do
    "$RUGOSE" train -q --threads $n --var-bins 4 --model $n.json -o $n.csv train
    cmp 1.json $n.json
    cmp 1.csv $n.csv
    "$RUGOSE" classify -f csv --threads $n --model $n.json --confusion con.$n.csv -o c.$n.csv train >k.$n 2>&1
    cmp c.1.csv c.$n.csv
    cmp con.1.csv con.$n.csv
    cmp k.1 k.$n
done
cat con.1.csv
