//! The binary `ttr`; everything is in the library of this package.

fn main() -> std::process::ExitCode {
    ttr_cli::main()
}
