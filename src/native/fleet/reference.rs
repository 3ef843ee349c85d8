//! The reference probe runtime as an adapter: what every other one can be held against. It is not `EchoMQ`'s, and says so.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use redis::Connection;

use crate::core::bytes::shown;
use crate::core::fleet::adapter::{Asked, ErrorKind, PROTOCOL, answered, refused};
use crate::core::fleet::json;
use crate::core::profile;
use crate::native::runtime::error::RuntimeError;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::speaker::{Job, Speaker};
use crate::native::runtime::wire::Wire;
use crate::native::server::Target;
use crate::native::server::url::Access;

/// How long a job is locked.
const LEASE: Duration = Duration::from_secs(30);
/// How long connecting may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A refusal that is to be sent.
type Refused = (ErrorKind, String);

/// The adapter's state.
struct Reference {
    password: Option<String>,
    mint: Mint,
    server: Option<(Target, Wire, String)>,
    queues: BTreeMap<String, Box<dyn Speaker>>,
    jobs: BTreeMap<(String, String), Job>,
}

/// Answers requests until `bye` or the end of the input.
///
/// # Errors
/// When nobody takes the answers.
pub fn serve(input: impl BufRead, mut output: impl Write, password: Option<String>) -> io::Result<()> {
    let mut reference =
        Reference { password, mint: Mint::new(), server: None, queues: BTreeMap::new(), jobs: BTreeMap::new() };
    for line in input.lines() {
        // Whoever sends what is no request gets no answer: there is no id for one.
        let Some(asked) = Asked::parse(&line?) else { continue };
        let line = match reference.answer(&asked) {
            Ok(ok) => answered(asked.id, &ok),
            Err((kind, message)) => refused(asked.id, kind, &message),
        };
        output.write_all(line.as_bytes())?;
        output.flush()?;
        if asked.op == "bye" {
            return Ok(());
        }
    }
    Ok(())
}

impl Reference {
    fn answer(&mut self, asked: &Asked) -> Result<String, Refused> {
        match asked.op.as_str() {
            "hello" => self.hello(asked),
            "add" => self.add(asked),
            "take" => self.take(asked),
            "complete" => self.complete(asked),
            "bye" => Ok("{}".to_owned()),
            other => Err((ErrorKind::NotSupported, format!("no such request: {other}"))),
        }
    }

    fn hello(&mut self, asked: &Asked) -> Result<String, Refused> {
        if asked.text("protocol") != PROTOCOL {
            return Err((ErrorKind::NotSupported, format!("this adapter speaks {PROTOCOL}")));
        }
        let profile = profile::by_id(asked.text("profile"));
        let wire = profile.and_then(Wire::of).ok_or_else(|| {
            (ErrorKind::NotSupported, format!("the reference probe runtime does not speak {}", asked.text("profile")))
        })?;
        let access = Access { password: self.password.clone(), ..Access::default() };
        let target = Target::parse(asked.text("url"), access, PATIENCE).map_err(|error| definite(&error))?;
        self.server = Some((target, wire, asked.text("client_name").to_owned()));
        Ok(format!(
            "{{\"runtime\":\"reference probe runtime\",\"version\":\"{}\",\"wire\":\"{}\",\"roles\":[\"producer\",\"consumer\"]}}",
            env!("CARGO_PKG_VERSION"),
            wire.writes()
        ))
    }

    fn add(&mut self, asked: &Asked) -> Result<String, Refused> {
        let data = asked.raw.as_deref().ok_or_else(|| (ErrorKind::Definite, "there is no data".to_owned()))?;
        let wire = self.server()?.1;
        let id = wire.job_id(&self.mint);
        self.queue(asked.text("queue"))?.add(&id, data.as_bytes()).map_err(|error| of_runtime(&error))?;
        Ok(format!("{{\"job_id\":{}}}", quoted(&id)))
    }

    fn take(&mut self, asked: &Asked) -> Result<String, Refused> {
        let (queue, token) = (asked.text("queue"), self.mint.mint("token"));
        let claimed = self.queue(queue)?.claim_next(&token, LEASE).map_err(|error| of_runtime(&error))?;
        let Some(job) = claimed else { return Ok("{\"job\":null}".to_owned()) };
        let text = String::from_utf8(job.payload.clone()).ok().filter(|text| json::parse(text).is_ok());
        let id = job.id.clone();
        let attempt = job.attempts;
        self.jobs.insert((queue.to_owned(), id.clone()), job);
        let text = text
            .ok_or_else(|| (ErrorKind::Definite, format!("the payload of job {} is no JSON", shown(id.as_bytes()))))?;
        // Its own line feeds would end the line.
        let text = text.replace(['\n', '\r'], " ");
        Ok(format!("{{\"job\":{{\"job_id\":{},\"name\":null,\"attempt\":{attempt},\"data\":{text}}}}}", quoted(&id)))
    }

    fn complete(&mut self, asked: &Asked) -> Result<String, Refused> {
        let place = (asked.text("queue").to_owned(), asked.text("job_id").to_owned());
        let unknown = || (ErrorKind::Definite, format!("job {} is not held here", shown(place.1.as_bytes())));
        let job = self.jobs.remove(&place).ok_or_else(unknown)?;
        let result = asked.raw.as_deref().unwrap_or("null");
        self.queue(&place.0)?.complete(&job, result.as_bytes()).map_err(|error| of_runtime(&error))?;
        Ok("{}".to_owned())
    }

    fn server(&self) -> Result<&(Target, Wire, String), Refused> {
        self.server.as_ref().ok_or_else(|| (ErrorKind::Definite, "hello comes first".to_owned()))
    }

    /// The queue, opened when it is first used: that states the version.
    fn queue(&mut self, name: &str) -> Result<&mut Box<dyn Speaker>, Refused> {
        let (target, wire, client) = self.server()?;
        if !wire.profile().allows_queue(name.as_bytes()) {
            return Err((ErrorKind::Definite, format!("{} cannot be a queue's name", shown(name.as_bytes()))));
        }
        if !self.queues.contains_key(name) {
            let mut connection = target.connect().map_err(|error| definite(&error))?;
            set_name(&mut connection, client);
            let opened = wire.open_telling(connection.into(), name, |_| {}).map_err(|error| of_runtime(&error))?;
            self.queues.insert(name.to_owned(), opened);
        }
        self.queues.get_mut(name).ok_or_else(|| (ErrorKind::Definite, "the queue did not open".to_owned()))
    }
}

/// A name is a help for whoever looks, and no condition.
fn set_name(connection: &mut Connection, name: &str) {
    if !name.is_empty() {
        drop(redis::cmd("CLIENT").arg("SETNAME").arg(name).exec(connection));
    }
}

fn definite(error: &impl ToString) -> Refused {
    (ErrorKind::Definite, error.to_string())
}

/// A broken connection leaves open what the server did; an answer of the server's does not.
fn of_runtime(error: &RuntimeError) -> Refused {
    let kind = match error {
        RuntimeError::Server { cause, .. } if cause.code().is_none() => ErrorKind::Indefinite,
        _ => ErrorKind::Definite,
    };
    (kind, error.to_string())
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
