#!/usr/bin/env bash
# Sums RECORD.tsv up, per target, in the table of README.md. (smoke.sh -r appends to the record and calls this.)
set -euo pipefail
cd "$(dirname "$0")"

table=$(mktemp)
trap 'rm -f "$table"' EXIT
{
    echo '| target | executions | CPU time | of it under ASan |'
    echo '|---|---:|---:|---:|'
    awk -F '\t' '
        NR > 1 {
            if (!($1 in runs)) order[++count] = $1
            runs[$1] += $3; seconds[$1] += $4
            if ($5 == "address") guarded[$1] += $4
        }
        END {
            for (i = 1; i <= count; i++) {
                t = order[i]
                printf "| `%s` | %d | %.1f min | %.1f min |\n", t, runs[t], seconds[t] / 60, guarded[t] / 60
            }
        }' RECORD.tsv
} > "$table"
awk -v table="$table" '
    /^<!-- record -->/ { print; print ""; while ((getline line < table) > 0) print line; print ""; skip = 1; next }
    /^<!-- end of record -->/ { skip = 0 }
    !skip' README.md > "$table.new"
cat "$table.new" > README.md
rm -f "$table.new"
