//! The command line of `ttr`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
