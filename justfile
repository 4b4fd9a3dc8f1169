# Development tasks; `just` lists them. Each one is a plain command that also works without `just`.

_default:
    @just --list --unsorted

# Formatting, lints and documentation, without tests
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --locked

# Format, and apply what clippy can fix
fix:
    cargo clippy --workspace --all-targets --all-features --fix --allow-dirty --allow-staged
    cargo fmt --all

# Run the tests: all of them, or some, as in `just test -p ttr-engine --test rules`
test *args="--workspace":
    cargo test --locked {{args}}

# Everything that CI checks on Linux
ci:
    .ci/run

# Test the page in a browser, against target/debug/ttr
page:
    web/run-tests

# Build the page with the engine in WebAssembly, into target/site
site:
    web/build

# Fuzz one target: map_file, replay, notation, random_walk or protocol
fuzz target seconds="60":
    fuzz/run {{target}} {{seconds}}

# Play fixed random games on every map; the last line is the checksum for `Bench:`
bench games="10000":
    cargo run --release --locked -- bench --all --games {{games}}

# Criterion benchmarks, optionally filtered
criterion *filter:
    cargo bench -p ttr-benches -- {{filter}}

# Compare instructions per game with benches/instructions.txt (`just instructions --update` records them)
instructions *args:
    benches/instructions.sh {{args}}

# Build the documentation and open it
doc:
    cargo doc --workspace --no-deps --all-features --open

# Licences, advisories and sources of dependencies (needs cargo-deny)
deny:
    cargo deny check
