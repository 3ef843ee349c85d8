//! Which node of a cluster serves which slots, and which nodes there are.

use redis::{Connection, ConnectionLike, RedisError, RedisResult, Value};

use super::connection::Target;
use super::trouble::Trouble;
use crate::core::keyspace::slot;

/// The primaries of a cluster that serve slots.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    ranges: Vec<(u16, u16, usize)>,
    primaries: Vec<Target>,
    /// The nodes' own names of themselves, in the same order.
    ids: Vec<String>,
}

impl Topology {
    /// What a node says of its cluster; nothing where the server is no cluster's.
    pub fn of(target: &Target) -> Result<Option<Self>, Trouble> {
        of_a_cluster(target, "ask which node serves which slot (CLUSTER SLOTS)", Self::ask)
    }

    fn ask(connection: &mut impl ConnectionLike, asked: &Target) -> RedisResult<Self> {
        let slots: Vec<Vec<Value>> = redis::cmd("CLUSTER").arg("SLOTS").query(connection)?;
        let mut topology = Self::default();
        slots.iter().try_for_each(|range| topology.add(asked, range))?;
        Ok(topology)
    }

    /// Every primary that serves slots.
    pub fn primaries(&self) -> &[Target] {
        &self.primaries
    }

    /// The primary that serves a key.
    pub fn of_key(&self, key: &[u8]) -> Option<&Target> {
        let slot = slot(key);
        let (_, _, node) = self.ranges.iter().find(|(start, end, _)| (*start..=*end).contains(&slot))?;
        self.primaries.get(*node)
    }

    /// `[first slot, last slot, [host, port, id, …], replicas…]`; without a host, it is the one that was asked.
    fn add(&mut self, asked: &Target, range: &[Value]) -> RedisResult<()> {
        let number = |value: &Value| match value {
            Value::Int(number) => u16::try_from(*number).map_err(|_| odd()),
            _ => Err(odd()),
        };
        let [start, end, Value::Array(node), ..] = range else { return Err(odd()) };
        let [host, port, more @ ..] = node.as_slice() else { return Err(odd()) };
        let target = asked.at(text(host).filter(|host| host != "?").as_deref(), number(port)?)?;
        let known = self.primaries.iter().position(|primary| primary.shown() == target.shown());
        let node = known.unwrap_or(self.primaries.len());
        if known.is_none() {
            self.primaries.push(target);
            self.ids.push(more.first().and_then(text).unwrap_or_default());
        }
        self.ranges.push((number(start)?, number(end)?, node));
        Ok(())
    }
}

/// A cluster as one of its nodes sees it.
#[derive(Clone, Debug)]
pub(in crate::native) struct View {
    pub(in crate::native) topology: Topology,
    /// Every primary that has not failed; one without slots may be given some at any moment.
    pub(in crate::native) primaries: Vec<Target>,
    /// The others: whom to ask when no primary answers.
    pub(in crate::native) replicas: Vec<Target>,
    /// Every node's address: what a replica is sent by its primary, MONITOR shows under that.
    pub(in crate::native) addresses: Vec<String>,
    /// Whether the node that was asked is a primary.
    pub(in crate::native) is_primary: bool,
}

impl View {
    /// What a server says of its cluster; nothing where it is no cluster's.
    pub(in crate::native) fn of(target: &Target) -> Result<Option<Self>, Trouble> {
        of_a_cluster(target, "ask for the nodes of the cluster (CLUSTER SLOTS, CLUSTER NODES)", Self::ask)
    }

    /// What a node says of its cluster.
    pub(in crate::native) fn ask(connection: &mut impl ConnectionLike, asked: &Target) -> RedisResult<Self> {
        let topology = Topology::ask(connection, asked)?;
        let nodes: String = redis::cmd(QUESTION[0]).arg(QUESTION[1]).query(connection)?;
        let (primaries, replicas, addresses) = (Vec::new(), Vec::new(), Vec::new());
        let mut view = Self { topology, primaries, replicas, addresses, is_primary: false };
        nodes.lines().filter_map(Member::parse).try_for_each(|member| view.add(asked, &member))?;
        Ok(view)
    }

    fn add(&mut self, asked: &Target, member: &Member<'_>) -> RedisResult<()> {
        self.is_primary |= member.is("myself") && member.is("master");
        if member.host.is_some() {
            self.addresses.push(member.address.to_owned());
        }
        if ["fail", "noaddr", "handshake"].iter().any(|flag| member.is(flag)) {
            return Ok(());
        }
        // The cluster's own choice between address and name, where it states one.
        let listed = self.topology.ids.iter().position(|id| id == member.id);
        let target = match listed.and_then(|at| self.topology.primaries.get(at)) {
            Some(target) => target.clone(),
            None => asked.at(member.host, member.port)?,
        };
        let list = if member.is("master") { &mut self.primaries } else { &mut self.replicas };
        list.push(target);
        Ok(())
    }
}

/// The command that ends such a look: what it says holds where MONITOR shows this.
pub(in crate::native) const QUESTION: [&str; 2] = ["CLUSTER", "NODES"];

/// A line of CLUSTER NODES.
struct Member<'l> {
    id: &'l str,
    /// As its sockets have it.
    address: &'l str,
    /// Nothing where it does not know its own.
    host: Option<&'l str>,
    port: u16,
    flags: &'l str,
}

impl<'l> Member<'l> {
    /// `id host:port@bus,name,… flags …`
    fn parse(line: &'l str) -> Option<Self> {
        let mut words = line.split(' ');
        let (id, place, flags) = (words.next()?, words.next()?, words.next()?);
        let address = place.split(['@', ',']).next()?;
        let (host, port) = address.rsplit_once(':')?;
        Some(Self { id, address, host: Some(host).filter(|host| !host.is_empty()), port: port.parse().ok()?, flags })
    }

    fn is(&self, flag: &str) -> bool {
        self.flags.split(',').any(|one| one == flag)
    }
}

/// What a node says when it is asked; nothing where the server is no cluster's.
fn of_a_cluster<T>(
    target: &Target,
    tried: &'static str,
    ask: impl FnOnce(&mut Connection, &Target) -> RedisResult<T>,
) -> Result<Option<T>, Trouble> {
    let mut connection = target.connect_briefly()?;
    let info: RedisResult<String> = redis::cmd("INFO").arg("cluster").query(&mut connection);
    let info = info.map_err(target.trouble("ask whether the server is a cluster's node (INFO cluster)"))?;
    if !info.contains("cluster_enabled:1") {
        return Ok(None);
    }
    ask(&mut connection, target).map(Some).map_err(target.trouble(tried))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::BulkString(text) if !text.is_empty() => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

fn odd() -> RedisError {
    RedisError::from((redis::ErrorKind::UnexpectedReturnType, "no range of slots"))
}

#[cfg(test)]
mod tests {
    use super::Member;

    #[test]
    fn a_line_names_a_node_its_place_and_its_part() {
        let check = |line: &str, host: Option<&str>, port, flag: &str| {
            let member = Member::parse(line).expect("a node");
            assert_eq!((member.id, member.host, member.port), ("a1", host, port), "{line}");
            assert!(member.is(flag) && !member.is("fail"), "{line}");
        };
        check("a1 127.0.0.1:30002@31002 myself,master - 0 0 1 connected 0-5460", Some("127.0.0.1"), 30002, "master");
        check("a1 ::1:30002@31002,name,shard-id=f slave,fail? 7 0 0 1 connected", Some("::1"), 30002, "slave");
        check("a1 :30002@31002 myself,master - 0 0 1 connected", None, 30002, "myself");
        for line in ["", "a1 x flags", "a1 h:x@1 master"] {
            assert!(Member::parse(line).is_none(), "{line}");
        }
    }
}
