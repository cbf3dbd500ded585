#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Two processes on two hosts, as far as MPI can tell: two network namespaces with names of their own and a
# cable between them; instead of ssh a script enters the other one. Needs root and iproute2, and is no
# part of ctest:
#
#   tests/mpi/two_hosts.sh build/release/cli/rugose build/release/tests/make_image
set -eu

data=$(cd "$(dirname "$0")/../data" && pwd)
rugose=$(realpath "$1")
make_image=$(realpath "$2")
work=$(mktemp -d)
clean() {
    ip netns del rugose-1 2>/dev/null || :
    ip netns del rugose-2 2>/dev/null || :
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

for i in 1 2; do
    ip netns add rugose-$i
    ip -n rugose-$i link set lo up
done
ip link add cable netns rugose-1 type veth peer name cable netns rugose-2
for i in 1 2; do
    ip -n rugose-$i address add 10.77.0.$i/24 dev cable
    ip -n rugose-$i link set cable up
done

# agent ADDRESS WORD...: runs the words on the host of that address.
cat >agent <<'END'
#!/bin/sh
host=${1##*.}
shift
exec ip netns exec "rugose-$host" unshare --uts sh -c "hostname host$host; $*"
END
chmod +x agent

# The counter of the other host that tells how much came over the cable.
received() { ip netns exec rugose-1 cat /sys/class/net/cable/statistics/rx_bytes; }

# both WORD...: one process on each host.
both() {
    before=$(received)
    ./agent 10.77.0.1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun \
        --mca plm_rsh_agent "$work/agent" --mca btl tcp,self --mca btl_tcp_if_include cable \
        --mca oob_tcp_if_include cable --host 10.77.0.1:1,10.77.0.2:1 --map-by node -n 2 "$@"
    echo "   $(($(received) - before)) bytes came over the cable"
}

echo "== hosts"
both hostname
"$make_image" volume.npy shape=256x256x256 fill=noise high=200
for case in "boxcount -q $data/b*.png $data/textures/train/*/*.png" "boxcount -q volume.npy" \
    "multifractal -q volume.npy"; do
    echo "== $(echo "$case" | cut -c -60)"
    "$rugose" $case -o one.csv 2>one.err
    both "$rugose" $case -o many.csv 2>many.err || { cat many.err; exit 1; }
    cmp one.csv many.csv
    cmp one.err many.err
    rm many.csv
done
echo "== equal"
