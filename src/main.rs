//! `emq-conform`: runs the command line and sets the exit code.

fn main() -> std::process::ExitCode {
    echomq_conformance::native::cli::main()
}
