#!/bin/sh
# Builds the mojika command, converts every sample file to UTF-8 and compares the result with samples/utf-8.
#
#     sh samples/convert.sh [FOLDER]
#
# The converted files go to FOLDER, which is target/samples unless given. MOJIKA names a command that is built already. Exits
# with 1 if any file differs.

set -eu

case ${1:-} in
'' | /*) folder=${1:-} ;;
*) folder=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
folder=${folder:-$target/samples}

mojika=${MOJIKA:-$target/quick/mojika}
[ -n "${MOJIKA:-}" ] || cargo build --quiet --profile quick --package mojika-cli --no-default-features
mkdir -p "$folder"

converted=0
identical=0
for sample in samples/*.*.txt; do
	# A sample is called LANGUAGE.LABEL.txt.
	name=${sample##*/}
	language=${name%%.*}
	label=${name#*.}
	label=${label%.txt}

	if ! "$mojika" convert --from "$label" --to utf-8 "$sample" -o "$folder/$name"; then
		echo "$name: not converted"
		continue
	fi
	converted=$((converted + 1))
	if cmp -s "$folder/$name" "samples/utf-8/$language.txt"; then
		identical=$((identical + 1))
		echo "$name: $label -> utf-8, identical"
	else
		echo "$name: $label -> utf-8, DIFFERENT from samples/utf-8/$language.txt"
	fi
done

set -- samples/*.*.txt
echo "$converted files converted, $identical identical to samples/utf-8"
[ "$identical" -eq $# ]
