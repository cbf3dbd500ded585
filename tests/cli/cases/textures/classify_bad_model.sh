# SPDX-License-Identifier: BSD-3-Clause
#
# Damaged and foreign models are refused with their place, before any image is read.
mkdir -p few/a few/b
make_image few/a/1.npy shape=9x9 fill=checker
make_image few/b/1.npy shape=9x9 fill=noise
"$RUGOSE" train -q --model m.json few >/dev/null
# What the JSON library says is its own.
classify() {
    exits 1 "$RUGOSE" classify -q --model bad.json few/a/1.npy 2>err
    sed 's/not JSON: .*/not JSON/' err >&2
}
changed() {
    sed "$1" m.json >bad.json
    if cmp -s m.json bad.json; then echo "not changed: $1"; fi
    classify
}
changed 's/rugose lbp model/other model/'
changed 's/"format_version": 1/"format_version": 2/'
changed 's/"riu2"/"riu3"/'
changed 's/"skimage"/7/'
changed '/"border"/d'
changed 's/"points": 8/"points": 16/'
changed 's/"radius": 1/"radius": -1/'
changed 's/"histograms": \[\[[0-9]*,/"histograms": [[-1,/'
changed 's/"histograms": \[\[[0-9]*,/"histograms": [[1.5,/'
changed 's/"histograms": \[\[[0-9]*,/"histograms": [[/'
changed 's/"classes": \["a", /"classes": [/'
changed '$d'
changed 's/{"class"/{"class" "/'
head -c 300 m.json >bad.json
classify
: >bad.json
classify
echo '[]' >bad.json
classify
cp few/a/1.npy bad.json
classify
rm bad.json
classify
mkdir bad.json
classify
