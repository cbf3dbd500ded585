# SPDX-License-Identifier: BSD-3-Clause
#
# The shell completion, loaded by bash and asked for words.
"$RUGOSE" help --completion >rugose.bash
bash -n rugose.bash
make_image abc.npy shape=2x2
cat >ask.bash <<'END'
. ./rugose.bash
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _rugose
    echo "$*: ${COMPREPLY[*]}"
}
complete -p rugose
ask rugose ''
ask rugose bo
ask rugose boxcount --fo
ask rugose boxcount --of ''
ask rugose boxcount --of g
ask rugose boxcount -f c
ask rugose boxcount --format j
ask rugose boxcount a.png --method p
ask rugose boxcount --counts ab
ask rugose boxcount ab
ask rugose info --c
ask rugose help --m
ask rugose help bo
ask rugose version --
END
bash ask.bash
