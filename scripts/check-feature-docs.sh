#!/usr/bin/env bash
# Builds the documentation as docs.rs does, and sees that items behind a feature say so.
. "$(dirname "$0")/common.sh"

# `doc(cfg)` is unstable. This switch lets the stable compiler build it; nothing but documentation is made with it.
export RUSTC_BOOTSTRAP=1 RUSTDOCFLAGS='-D warnings --cfg docsrs' CARGO_TARGET_DIR=$TARGET_ROOT/$NAME
cargo doc --quiet -p mojika -p mojika-sniff --no-deps --all-features

# `says PAGE FEATURE`: the page lists an item with the feature that it needs.
says() {
    # Lists have it as a title, pages as marked-up text.
    sed 's/<[^>]*>/`/g' "$CARGO_TARGET_DIR/doc/$1" > "$CARGO_TARGET_DIR/page"
    grep -Eq "Available on \`?crate feature \`+$2\`+ only" "$CARGO_TARGET_DIR/doc/$1" "$CARGO_TARGET_DIR/page" ||
        die "the page $1 lists nothing that needs the feature $2"
}
says mojika/io/index.html tokio
says mojika/io/index.html tokio-util
says mojika_sniff/index.html alloc
says mojika/struct.Encoding.html serde
says mojika/offsets/struct.DenseOffsetMap.html serde
finish 'features stand in the documentation'
