#!/usr/bin/env bash
# Counts the instructions of a random game with callgrind: unlike times, they are the same on a busy machine.
#
#   benches/instructions.sh            compare with instructions.txt; fails above 5 % more instructions per game
#   benches/instructions.sh --update   write the current figures to instructions.txt
#
# Each figure is the difference between two runs of `ttr bench` with different numbers of games, per game, so
# that start-up is not counted.
set -euo pipefail
cd "$(dirname "$0")/.."

table=benches/instructions.txt
few=100 many=300 margin=5

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 2; }
cargo build --release --locked --quiet
ttr="${CARGO_TARGET_DIR:-target}/release/ttr"

instructions() { # map, seats, games
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$ttr" bench --map "$1" --seats "$2" --games "$3" --threads 1 --quiet 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

worse=0 new=""
while read -r map seats limit; do
    if [[ -z $map || $map == \#* ]]; then
        new+="$map${seats:+ $seats}${limit:+ $limit}"$'\n'
        continue
    fi
    a=$(instructions "$map" "$seats" $few)
    b=$(instructions "$map" "$seats" $many)
    now=$(((b - a) / (many - few)))
    printf '%-20s %s seats %9d instructions per game (%+d of %d)\n' "$map" "$seats" $now $((now - limit)) "$limit"
    new+="$map $seats $now"$'\n'
    if ((now * 100 > limit * (100 + margin))); then worse=1; fi
done <$table

if [[ ${1:-} == --update ]]; then
    printf '%s' "$new" >$table
elif ((worse)); then
    echo "regression: more than $margin % more instructions per game; fix it, or explain it in the commit and run benches/instructions.sh --update" >&2
    exit 1
fi
