//! Clients whose port the test chooses: sooner or later a system gives a port to another client than the one that had it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use super::process::wait_until;

/// A client from a port; when it is dropped, nothing keeps the port from being used again at once.
pub(crate) struct FromPort(TcpStream);

impl FromPort {
    pub(crate) fn connect(port: u16, server: SocketAddr) -> Self {
        let mut client = None;
        // Another test may have it for a moment.
        wait_until("the port is free", || {
            client = Self::try_connect(port, server);
            client.is_some()
        });
        client.expect("it is free")
    }

    /// Nothing where another has the port: for longer than a moment, it may be.
    pub(crate) fn try_connect(port: u16, server: SocketAddr) -> Option<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.set_reuse_address(true).expect("a port may be used again");
        socket.set_linger(Some(Duration::ZERO)).expect("its end is at once");
        let address = SocketAddr::from(([127, 0, 0, 1], port)).into();
        socket.bind(&address).ok()?;
        socket.connect(&server.into()).expect("it connects");
        Some(Self(socket.into()))
    }

    /// A client, and its port.
    pub(crate) fn anywhere(server: SocketAddr) -> (Self, u16) {
        let client = Self::connect(0, server);
        let port = client.0.local_addr().expect("an address").port();
        (client, port)
    }

    /// Sends a command, and takes its answer, which is a short one.
    pub(crate) fn send(&mut self, words: &[&str]) -> String {
        self.0.write_all(&redis::cmd(words[0]).arg(&words[1..]).get_packed_command()).expect("it is sent");
        let mut answer = [0; 4096];
        let read = self.0.read(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer[..read]).into_owned()
    }
}
