//! The binary `ttr`; all code is in the library of this package.

fn main() -> std::process::ExitCode {
    ttr_cli::main()
}
