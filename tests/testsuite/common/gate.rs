//! A gate before a server: what clients send goes through it, and something can be made to happen just before a command.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is to happen, and before which of the commands that are counted.
type Trap = Box<dyn FnMut() + Send>;

/// The gate; it stands as long as the test runs.
pub(crate) struct Gate {
    pub(crate) port: u16,
    state: Arc<Mutex<State>>,
    path: Path,
}

/// The way through the gate.
#[derive(Clone, Default)]
pub(crate) struct Path {
    /// How many have come.
    came: Arc<AtomicUsize>,
    /// How many of these are heard no more.
    lost: Arc<AtomicUsize>,
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
        let path = Path::default();
        let way = path.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(server) else { return };
                let number = way.came.fetch_add(1, Ordering::SeqCst);
                let (back, there) = (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
                let shared = Arc::clone(&shared);
                let [to, fro] = [(); 2].map(|()| (way.clone(), number));
                let look = move |bytes: &[u8]| shared.lock().expect("it is whole").sees(bytes);
                thread::spawn(move || copy(client, server, &to, look));
                thread::spawn(move || copy(there, back, &fro, |_| ()));
            }
        });
        Self { port, state, path }
    }

    /// Where it is, as a URL.
    pub(crate) fn url(&self) -> String {
        format!("valkey://127.0.0.1:{}", self.port)
    }

    /// The way through it, for a trap.
    pub(crate) fn path(&self) -> Path {
        self.path.clone()
    }

    /// Has something happen just before the next command but so many.
    pub(crate) fn set(&self, before: usize, trap: impl FnMut() + Send + 'static) {
        let mut state = self.state.lock().expect("it is whole");
        state.before = before;
        state.trap = Some(Box::new(trap));
    }

    /// Whether the trap has gone off.
    pub(crate) fn has_gone_off(&self) -> bool {
        self.state.lock().expect("it is whole").trap.is_none()
    }

    /// Takes the trap away; says whether it had gone off.
    pub(crate) fn clear(&self) -> bool {
        self.state.lock().expect("it is whole").trap.take().is_none()
    }
}

impl Path {
    /// What is said over the connections that stand goes nowhere from now on, and nobody is told; who comes later is heard.
    pub(crate) fn lose(&self) {
        self.lost.store(self.came.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    fn is_lost(&self, number: usize) -> bool {
        number < self.lost.load(Ordering::SeqCst)
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

fn copy(mut from: TcpStream, mut to: TcpStream, (path, number): &(Path, usize), mut look: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read) = from.read(&mut buffer) {
        look(&buffer[..read]);
        if path.is_lost(*number) {
            if read == 0 {
                // Not even this comes to the other end, which the other direction keeps open.
                return;
            }
        } else if read == 0 || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}
