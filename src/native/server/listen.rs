//! A connection that only listens: after MONITOR, one line after another, of any length.
//!
//! The client library looks through all it has of a line again whenever more of it comes, so a line of many megabytes would
//! take it minutes; here each byte is read once. Where there is TLS, the library listens.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use redis::{Connection, ConnectionAddr, ErrorKind, RedisConnectionInfo, RedisError, RedisResult, Value};

use super::connection::Target;
use super::trouble::Trouble;
use crate::core::facts::log::LONGEST_LINE;

/// What is heard of one server.
pub(super) enum Lines {
    /// From a socket.
    Socket(BufReader<Box<dyn Socket>>),
    /// From the client library.
    Library(Box<Connection>),
}

/// How much of the stream is read at once.
const PIECE: usize = 64 * 1024;

impl Lines {
    /// Connects, logs in, and asks for MONITOR; returns when the server has confirmed it.
    pub(super) fn open(target: &Target) -> Result<Self, Trouble> {
        let info = target.connection_info();
        let socket = match info.addr() {
            ConnectionAddr::Tcp(host, port) => tcp(host, *port, target.patience()).map(Some),
            ConnectionAddr::Unix(path) => {
                UnixStream::connect(path).map(|stream| Some(Box::new(stream) as Box<dyn Socket>))
            }
            _ => Ok(None),
        };
        match socket.map_err(|error| target.trouble("connect")(error.into()))? {
            None => {
                let mut connection = target.connect()?;
                let asked = |connection: &mut Connection| redis::cmd("MONITOR").exec(connection);
                target.within_patience(&mut connection, asked).map_err(target.trouble(RECORD))?;
                Ok(Self::Library(Box::new(connection)))
            }
            Some(socket) => {
                socket.limit(Some(target.patience())).map_err(|error| target.trouble("connect")(error.into()))?;
                let mut stream = BufReader::with_capacity(PIECE, socket);
                for words in greeting(info.redis_settings()) {
                    say(&mut stream, &words).map_err(target.trouble("connect"))?;
                }
                say(&mut stream, &["MONITOR".to_owned()]).map_err(target.trouble(RECORD))?;
                stream.get_ref().limit(None).map_err(|error| target.trouble(RECORD)(error.into()))?;
                Ok(Self::Socket(stream))
            }
        }
    }

    /// What ends it; the client library gives nobody that.
    pub(super) fn end(&self) -> Option<End> {
        match self {
            Self::Socket(stream) => stream.get_ref().end().ok(),
            Self::Library(_) => None,
        }
    }

    /// The next line, and the others that have come with it.
    pub(super) fn next_lines(&mut self) -> RedisResult<Vec<String>> {
        let mut lines = vec![self.next()?];
        while let Self::Socket(stream) = self
            && stream.buffer().contains(&b'\n')
        {
            lines.push(self.next()?);
        }
        Ok(lines)
    }

    /// The next line. Of one that is longer than what is held in memory, the start.
    fn next(&mut self) -> RedisResult<String> {
        match self {
            Self::Socket(stream) => match stream.fill_buf()?.first() {
                Some(b'+') => Ok(text(&line(stream)?)),
                Some(_) => Err(unexpected(&text(&line(stream)?))),
                None => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            },
            Self::Library(connection) => match connection.recv_response()? {
                Value::SimpleString(line) => Ok(line),
                Value::Okay => Ok("OK".to_owned()),
                other => Err(unexpected(&format!("{other:?}"))),
            },
        }
    }
}

/// What is being done, for an error.
pub(super) const RECORD: &str = "record with MONITOR";

/// A stream whose wait for an answer can be limited, and ended by somebody else.
pub(super) trait Socket: Read + Write + Send {
    /// Limits each wait from here on.
    fn limit(&self, patience: Option<Duration>) -> io::Result<()>;

    /// What ends it: whoever waits for more of it has read all.
    fn end(&self) -> io::Result<End>;
}

/// The end of a stream that somebody else reads.
pub(super) type End = Box<dyn FnOnce() + Send>;

impl Socket for TcpStream {
    fn limit(&self, patience: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(patience).and(self.set_write_timeout(patience))
    }

    fn end(&self) -> io::Result<End> {
        let same = self.try_clone()?;
        Ok(Box::new(move || drop(same.shutdown(Shutdown::Both))))
    }
}

impl Socket for UnixStream {
    fn limit(&self, patience: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(patience).and(self.set_write_timeout(patience))
    }

    fn end(&self) -> io::Result<End> {
        let same = self.try_clone()?;
        Ok(Box::new(move || drop(same.shutdown(Shutdown::Both))))
    }
}

/// Tries each address of the host until one answers or the time is over.
fn tcp(host: &str, port: u16, patience: Duration) -> io::Result<Box<dyn Socket>> {
    let end = Instant::now() + patience;
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "no such host");
    for address in (host, port).to_socket_addrs()? {
        loop {
            let rest = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            match TcpStream::connect_timeout(&address, rest) {
                Ok(stream) => return Ok(Box::new(stream)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted && Instant::now() < end => {}
                Err(error) => {
                    failure = error;
                    break;
                }
            }
        }
    }
    Err(failure)
}

/// What the client library says at first, so that the server's counts are the same whoever listens.
fn greeting(settings: &RedisConnectionInfo) -> Vec<Vec<String>> {
    let mut says = Vec::new();
    if let Some(password) = settings.password() {
        let user = settings.username().map(str::to_owned);
        says.push(["AUTH".to_owned()].into_iter().chain(user).chain([password.to_owned()]).collect());
    }
    if settings.db() != 0 {
        says.push(vec!["SELECT".to_owned(), settings.db().to_string()]);
    }
    says.push(vec!["PING".to_owned()]);
    says
}

/// Sends a command and takes its answer, which is a status or an error.
fn say(stream: &mut BufReader<Box<dyn Socket>>, words: &[String]) -> RedisResult<()> {
    let mut command = redis::Cmd::new();
    command.arg(words);
    stream.get_mut().write_all(&command.get_packed_command())?;
    stream.get_mut().flush()?;
    if stream.fill_buf()?.is_empty() {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let mut answer = line(stream)?;
    answer.extend_from_slice(b"\r\n");
    redis::parse_redis_value(&answer)?.extract_error().map(drop)
}

/// A line without its end.
fn line(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let read = stream.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
    if line.ends_with(b"\n") {
        line.truncate(read - 1);
        line.truncate(line.len() - usize::from(line.ends_with(b"\r")));
        return Ok(line);
    }
    if read < LONGEST_LINE {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // It ends inside an argument, which says enough of it.
    line.truncate(PIECE);
    stream.skip_until(b'\n')?;
    Ok(line)
}

/// The text of a line without the sign before it; MONITOR writes ASCII.
fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line.get(1..).unwrap_or_default()).into_owned()
}

fn unexpected(said: &str) -> RedisError {
    RedisError::from((ErrorKind::UnexpectedReturnType, "not a line of MONITOR", said.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read, repeat};

    use super::{LONGEST_LINE, PIECE, line};

    #[test]
    fn a_line_is_read_whatever_its_length_and_however_it_comes() {
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, LONGEST_LINE - 2] {
            let bytes = repeat(b'x').take(length as u64).chain(&b"\r\nnext\r\n"[..]);
            let mut stream = BufReader::with_capacity(PIECE, bytes);
            assert_eq!(line(&mut stream).expect("a line").len(), length);
            assert_eq!(line(&mut stream).expect("the next"), b"next");
            assert!(line(&mut stream).is_err(), "the end is no line");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_the_start_is_read_and_the_next_one_whole() {
        let bytes = repeat(b'x').take(LONGEST_LINE as u64 + 9).chain(&b"\r\nnext\r\n"[..]);
        let mut stream = BufReader::with_capacity(PIECE, bytes);
        assert_eq!(line(&mut stream).expect("its start").len(), PIECE);
        assert_eq!(line(&mut stream).expect("the next"), b"next");
    }
}
