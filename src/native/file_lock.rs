//! A file that a recorder writes is its own until it ends: two that write to one would leave a mixture.
//!
//! The lock is the system's (`flock`), so it goes with the process, however that ends. Who only reads needs none.

use std::fs::File;
use std::io::{self, ErrorKind};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Makes a file the recorder's own, for as long as it is open.
///
/// # Errors
/// Another recorder writes it. A file system without locks refuses nobody.
pub(in crate::native) fn take(file: &File) -> io::Result<()> {
    lock(file, FlockOperation::NonBlockingLockExclusive)
}

/// Refuses a file that a recorder writes.
///
/// # Errors
/// One does.
pub(in crate::native) fn refuse_taken(file: &File) -> io::Result<()> {
    match flock(file, FlockOperation::NonBlockingLockShared) {
        // NFS shares no lock of a file that is open for writing alone.
        Err(Errno::BADF) => lock(file, FlockOperation::NonBlockingLockExclusive),
        result => told(result),
    }
}

fn lock(file: &File, how: FlockOperation) -> io::Result<()> {
    told(flock(file, how))
}

fn told(locked: Result<(), Errno>) -> io::Result<()> {
    match locked {
        Err(Errno::WOULDBLOCK) => Err(io::Error::new(ErrorKind::ResourceBusy, TAKEN)),
        _ => Ok(()),
    }
}

const TAKEN: &str = "another program, perhaps a recorder, has locked it; wait for its end, or name another file";
