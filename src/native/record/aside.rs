//! What is read aside: a second connection, in a thread of its own, so that a server that hangs holds nobody up.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, ErrorKind, RedisError, RedisResult, Value};

use super::listing;
use crate::core::bytes::{Bytes, shown};
use crate::core::capture::{Read, Reply};
use crate::core::witness::libraries::Listed;
use crate::native::runtime::link::{Link, Sent};
use crate::native::server::connection::{ClientName, client_field};
use crate::native::server::topology::View;
use crate::native::server::{Snapshot, Target, Trouble};

/// A question to the server.
#[derive(Debug)]
pub(super) enum Ask {
    /// Its counts.
    Snapshot,
    /// A command for the capture's reads, in a database.
    Read(u32, Vec<String>),
    /// A script's text, by its SHA-1.
    Text(String),
    /// Its libraries of functions, in these words.
    Libraries(u64, [String; 5]),
    /// Who is connected.
    Clients,
    /// Which nodes its cluster has.
    View,
    /// A sign of life: its line shows how far MONITOR has come.
    Ping,
}

/// An answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// The counts.
    Snapshot(Box<Snapshot>),
    /// What was read with a command in a database, as far as a capture can hold it.
    Read(u32, Vec<String>, Option<Read>),
    /// A text, where the server has it and tells.
    Text(String, Option<Bytes>),
    /// What libraries it has, by the number of the question, where it tells.
    Libraries(u64, Option<Vec<Listed>>),
    /// Connections: their addresses, names and users, and when that was asked; nothing where the server does not tell.
    Clients(Option<Vec<Client>>, Instant),
    /// The cluster, where the server tells.
    View(Option<Box<View>>),
    /// The sign of life.
    Pong,
    /// A script is so slow that nothing else is answered: the question is asked again.
    Busy,
    /// The connection broke.
    Broken(Trouble),
}

/// A connection as CLIENT LIST tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Client {
    pub(super) address: String,
    pub(super) name: String,
    pub(super) user: String,
    /// For how many seconds, as the server counts them.
    pub(super) age: Option<u64>,
}

/// The connection.
pub(super) struct Aside {
    questions: Sender<Ask>,
    answers: Receiver<Answer>,
    /// Nobody answers any more.
    pub(super) is_broken: bool,
    /// How many answers are to come, and since when the first of them is.
    pub(super) open: usize,
    pub(super) since: Option<Instant>,
    /// The same, where BUSY is no answer.
    pub(super) unanswered: Option<Instant>,
    /// Its address, or nothing on a unix socket.
    pub(super) address: Option<String>,
    /// How many times it was asked who is connected, with no answer yet.
    pub(super) who: usize,
}

impl Aside {
    /// Asks over a connection that the server knows by this address; what it sends is written down in `sent`.
    /// Its question for counts has a mark where one is given.
    pub(super) fn over(
        connection: Connection,
        address: String,
        mark: Option<String>,
        target: &Target,
        sent: &Sent,
    ) -> Self {
        let address = Some(address).filter(|_| !target.is_unix_socket());
        let mut server = Server {
            link: Link::remembering(connection, sent),
            target: target.clone(),
            mark,
            db: u32::try_from(target.db()).unwrap_or_default(),
        };
        let (questions, asked) = mpsc::channel();
        let (reply, answers) = mpsc::channel();
        thread::spawn(move || {
            for ask in asked {
                loop {
                    let answer = server.answer(&ask);
                    let (is_broken, is_busy) = (matches!(answer, Answer::Broken(_)), matches!(answer, Answer::Busy));
                    if reply.send(answer).is_err() || is_broken {
                        return;
                    }
                    if !is_busy {
                        break;
                    }
                    thread::sleep(PAUSE);
                }
            }
        });
        Self { questions, answers, is_broken: false, open: 0, since: None, unanswered: None, address, who: 0 }
    }

    /// Asks; the answer comes in its time, unless the connection has broken.
    pub(super) fn ask(&mut self, ask: Ask) {
        let is_who = matches!(ask, Ask::Clients);
        match self.questions.send(ask) {
            Ok(()) => {
                self.open += 1;
                self.who += usize::from(is_who);
                let now = Instant::now();
                self.since.get_or_insert(now);
                self.unanswered.get_or_insert(now);
            }
            Err(_) => self.is_broken = true,
        }
    }

    /// The next answer, if one comes within `patience`.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<Answer> {
        let end = Instant::now() + patience;
        loop {
            match self.answers.recv_timeout(end.saturating_duration_since(Instant::now())).ok()? {
                Answer::Busy => {}
                answer => return Some(self.took(answer)),
            }
        }
    }

    /// An answer that has come.
    pub(super) fn hear(&mut self) -> Option<Answer> {
        let answer = self.answers.try_recv().ok()?;
        Some(self.took(answer))
    }

    fn took(&mut self, answer: Answer) -> Answer {
        let is_busy = matches!(answer, Answer::Busy);
        self.who -= usize::from(matches!(answer, Answer::Clients(..))).min(self.who);
        if !is_busy {
            self.open = self.open.saturating_sub(1);
        }
        self.since = (self.open > 0).then(Instant::now);
        if !is_busy {
            self.unanswered = self.since;
        }
        answer
    }
}

/// The pause before a server that is busy is asked again.
const PAUSE: Duration = Duration::from_millis(20);

struct Server {
    link: Link,
    target: Target,
    mark: Option<String>,
    db: u32,
}

impl Server {
    fn answer(&mut self, ask: &Ask) -> Answer {
        let outcome = match ask {
            Ask::Snapshot => Snapshot::take(&mut self.link, self.mark.as_deref())
                .map(|snapshot| Answer::Snapshot(Box::new(snapshot))),
            Ask::Read(db, argv) => self.read(*db, argv).map(|read| Answer::Read(*db, argv.clone(), read)),
            Ask::Text(sha1) => self.text(sha1).map(|text| Answer::Text(sha1.clone(), text)),
            Ask::Libraries(number, words) => self.libraries(words).map(|listed| Answer::Libraries(*number, listed)),
            Ask::Clients => {
                let asked = Instant::now();
                self.clients().map(|clients| Answer::Clients(clients, asked))
            }
            Ask::View => self.view().map(Answer::View),
            Ask::Ping => said(redis::cmd("PING").exec(&mut self.link)).map(|_| Answer::Pong),
        };
        outcome.unwrap_or_else(|cause| {
            if is_busy(&cause) {
                return Answer::Busy;
            }
            Answer::Broken(self.target.trouble("read aside what MONITOR does not show")(cause))
        })
    }

    fn read(&mut self, db: u32, argv: &[String]) -> RedisResult<Option<Read>> {
        if db != self.db {
            if let Err(refused) = said(redis::cmd("SELECT").arg(db).exec(&mut self.link))? {
                return Ok(Some(read(argv, Reply::Error { error: refused })));
            }
            self.db = db;
        }
        let [name, rest @ ..] = argv else { return Ok(None) };
        let answer = said(redis::cmd(name).arg(rest).query::<Value>(&mut self.link))?;
        let reply = match answer {
            Ok(value) => reply(value),
            Err(error) if is_elsewhere(&error) => None,
            Err(error) => Some(Reply::Error { error }),
        };
        Ok(reply.map(|reply| read(argv, reply)))
    }

    /// Servers older than Valkey 8 do not tell.
    fn text(&mut self, sha1: &str) -> RedisResult<Option<Bytes>> {
        let text = said(redis::cmd("SCRIPT").arg("SHOW").arg(sha1).query::<Vec<u8>>(&mut self.link))?;
        Ok(text.ok().map(Bytes))
    }

    /// Servers older than Redis 7 have none.
    fn libraries(&mut self, words: &[String]) -> RedisResult<Option<Vec<Listed>>> {
        Ok(said(listing::ask(&mut self.link, words))?.ok().flatten())
    }

    fn view(&mut self) -> RedisResult<Option<Box<View>>> {
        Ok(said(View::ask(&mut self.link, &self.target))?.ok().map(Box::new))
    }

    fn clients(&mut self) -> RedisResult<Option<Vec<Client>>> {
        let list = said(redis::cmd("CLIENT").arg("LIST").query::<String>(self.link.unseen()))?;
        Ok(list.ok().map(|list| list.lines().map(Client::parse).collect()))
    }
}

impl Client {
    fn parse(line: &str) -> Self {
        let field = |name| client_field(line, name).unwrap_or_default().to_owned();
        let age = field("age=").parse().ok();
        Self { address: ClientName::parse(line).address, name: field("name="), user: field("user="), age }
    }
}

fn read(argv: &[String], reply: Reply) -> Read {
    Read { argv: argv.iter().map(|arg| arg.as_str().into()).collect(), reply }
}

/// The server's refusal in its own words, told apart from a connection that broke and from a server that answers nobody now.
fn said<T>(outcome: RedisResult<T>) -> Result<Result<T, String>, RedisError> {
    match outcome {
        Ok(answer) => Ok(Ok(answer)),
        Err(error) if is_refusal(&error) && !is_busy(&error) => {
            let words = format!("{} {}", error.code().unwrap_or("ERR"), error.detail().unwrap_or_default());
            Ok(Err(shown(words.trim_end().as_bytes()).into_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Whether a node of a cluster says that it cannot know.
fn is_elsewhere(refused: &str) -> bool {
    ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN"].contains(&refused.split(' ').next().unwrap_or_default())
}

/// Whether a script of somebody's is so slow that the server answers nothing else.
fn is_busy(error: &RedisError) -> bool {
    error.code() == Some("BUSY")
}

fn is_refusal(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension | ErrorKind::UnexpectedReturnType)
}

fn reply(value: Value) -> Option<Reply> {
    match value {
        Value::Nil => Some(Reply::Nil(())),
        Value::Int(number) => Some(Reply::Integer(number)),
        Value::BulkString(bytes) => Some(Reply::Text(Bytes(bytes))),
        Value::SimpleString(text) => Some(Reply::Text(text.as_str().into())),
        Value::Okay => Some(Reply::Text("OK".into())),
        Value::Array(values) => values.into_iter().map(reply).collect::<Option<Vec<_>>>().map(Reply::Array),
        _ => None,
    }
}
