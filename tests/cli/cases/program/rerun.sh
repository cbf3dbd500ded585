# SPDX-License-Identifier: BSD-3-Clause
#
# A run from the saved settings is byte-identical.
"$RUGOSE" boxcount -qf json --foreground above=100 --fit 2..64 --of gray $DATA/camera.png >a.json
again() {
    p() { check_json a.json parameters.$1; }
    "$RUGOSE" "$(check_json a.json command)" -qf json --foreground "$(p foreground)" \
        --fit "$(p fit)" --of "$(p of)" --method "$(p method)" --page "$(p page)" \
        --level "$(p level)" --device "$(p device)" "$(check_json a.json results.0.image)"
}
again >b.json
again >c.json
cmp a.json b.json
cmp b.json c.json
echo "identical"
