# SPDX-License-Identifier: BSD-3-Clause
#
# --report FILE.html: the page has the rows of the table, with all that JSON has, and what went wrong.
# Names that are markup stay text, and no byte of a name can end the data.
bad='</script><img src=x onerror=alert(1)>'
mkdir -p "in/${bad%/*}"
make_image "in/$bad.npy" shape=32x32 fill=sierpinski
make_image "in/a \"quoted\" & 'b',
second line.npy" shape=32x32 fill=steps
make_image "$(printf 'in/\377\342\200\250.npy')" shape=32x32 fill=full
make_image in/=1+1.npy shape=32x32 fill=sierpinski
make_image in/z.npy shape=24x24 fill=noise high=9
printf 'no image' >in/broken.png

# both STATUS COMMAND WORD...: its page has the rows of its tables.
both() {
    wanted=$1
    shift
    title "$1"
    exits $wanted "$RUGOSE" "$@" -q --report page.html -o table.csv
    exits $wanted "$RUGOSE" "$@" -q -o table.json 2>/dev/null
    check_page page.html table.csv table.json
    cp table.csv with.csv
    exits $wanted "$RUGOSE" "$@" -q -o table.csv 2>/dev/null
    cmp table.csv with.csv
}
cd in
both 1 boxcount broken.png z.npy "$bad.npy" =1+1.npy a*
exits 0 "$RUGOSE" boxcount -q --report page.html -o table.json "$(printf '\377\342\200\250.npy')"
check_page page.html table.json
both 0 multifractal z.npy
both 0 lacunarity z.npy
both 0 haralick --levels 8 z.npy
both 0 lbp z.npy
both 0 info z.npy
cd ..
title "who asks, and how"
"$RUGOSE" boxcount -f csv --threads 1 -q --report page.html in/z.npy in/=1+1.npy >out
sed -n 's/^"command_line"://p' page.html
sed -n 's/^"\(inputs\|engine\)":/&/p' page.html
title "on standard output, when the table goes elsewhere"
"$RUGOSE" boxcount -q --report - -o table.csv in/z.npy >page.html
check_page page.html table.csv
exits 2 "$RUGOSE" boxcount -q --report - in/z.npy
exits 2 "$RUGOSE" boxcount -q --report - -o - in/z.npy
exits 2 "$RUGOSE" boxcount -q --report - -o a.csv --counts - in/z.npy
exits 2 "$RUGOSE" compress -q --report - -o a.rfi in/z.npy
title "refused"
cp in/z.npy input.html
cp page.html before.html
exits 2 "$RUGOSE" boxcount -q --report page.txt in/z.npy
exits 2 "$RUGOSE" boxcount -q --report '' in/z.npy
exits 2 "$RUGOSE" boxcount -q --report input.html input.html
exits 2 "$RUGOSE" boxcount -q --report ./page.html -o page.html -f csv in/z.npy
exits 2 "$RUGOSE" devices --report page.html
exits 1 "$RUGOSE" boxcount -q --report none/page.html in/z.npy
ln -s page.html link.csv
exits 2 "$RUGOSE" boxcount -q --report page.html -o link.csv in/z.npy
exits 2 "$RUGOSE" boxcount -q --report page.html --counts link.csv in/z.npy
cmp page.html before.html
ls -A
title "classes"
"$RUGOSE" train -q --model m.json --report page.html -o table.csv $DATA/textures/train
check_page page.html table.csv
exits 0 "$RUGOSE" classify -q --model m.json --report page.html -o table.json $DATA/textures/test
check_page page.html table.json
sed -n 's/^"accuracy":/&/p' page.html
