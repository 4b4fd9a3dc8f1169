//! Prints the layouts of the shipped boards for `crates/show/src/draw/layouts.txt`.
//!
//! ```sh
//! cargo run --release -p ttr-show --example layouts > layouts.txt && mv layouts.txt crates/show/src/draw/
//! ```

fn main() {
    ttr_show::draw::shipped_layouts().for_each(|entry| print!("{entry}"));
}
