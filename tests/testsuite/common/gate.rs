//! A gate before a server: what clients send goes through it, and something can be made to happen just before a command.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is to happen, and before which of the commands that are counted.
type Trap = Box<dyn FnMut() + Send>;

/// The gate; it stands as long as the test runs.
pub(crate) struct Gate {
    pub(crate) port: u16,
    state: Arc<Mutex<State>>,
}

struct State {
    word: Vec<u8>,
    before: usize,
    trap: Option<Trap>,
}

impl Gate {
    /// A gate to a server that counts the commands with a word in them.
    pub(crate) fn before(server: SocketAddr, word: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its number").port();
        let state = Arc::new(Mutex::new(State { word: word.as_bytes().to_vec(), before: 0, trap: None }));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(server) else { return };
                let (back, there) = (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
                let shared = Arc::clone(&shared);
                thread::spawn(move || copy(client, server, |bytes| shared.lock().expect("it is whole").sees(bytes)));
                thread::spawn(move || copy(there, back, |_| ()));
            }
        });
        Self { port, state }
    }

    /// Has something happen just before the next command but so many.
    pub(crate) fn set(&self, before: usize, trap: impl FnMut() + Send + 'static) {
        let mut state = self.state.lock().expect("it is whole");
        state.before = before;
        state.trap = Some(Box::new(trap));
    }

    /// Takes the trap away; says whether it had gone off.
    pub(crate) fn clear(&self) -> bool {
        self.state.lock().expect("it is whole").trap.take().is_none()
    }
}

impl State {
    /// A client of the tests' sends one command at a time.
    fn sees(&mut self, bytes: &[u8]) {
        if self.trap.is_none() || !bytes.windows(self.word.len()).any(|part| part == self.word) {
            return;
        }
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None => self.trap.take().expect("it is set")(),
        }
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, mut look: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read) = from.read(&mut buffer) {
        look(&buffer[..read]);
        if read == 0 || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}
