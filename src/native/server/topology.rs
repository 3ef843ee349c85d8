//! Which node of a cluster serves which slots.

use redis::{RedisResult, Value};

use super::connection::Target;
use super::trouble::Trouble;
use crate::core::keyspace::slot;

/// The primaries of a cluster.
#[derive(Clone, Debug)]
pub struct Topology {
    ranges: Vec<(u16, u16, usize)>,
    primaries: Vec<Target>,
}

impl Topology {
    /// What a node says of its cluster; nothing where the server is no cluster's.
    pub fn of(target: &Target) -> Result<Option<Self>, Trouble> {
        let mut connection = target.connect()?;
        let info: RedisResult<String> = redis::cmd("INFO").arg("cluster").query(&mut connection);
        let info = info.map_err(target.trouble("ask whether the server is a cluster's node (INFO cluster)"))?;
        if !info.contains("cluster_enabled:1") {
            return Ok(None);
        }
        let slots: RedisResult<Vec<Vec<Value>>> = redis::cmd("CLUSTER").arg("SLOTS").query(&mut connection);
        let slots = slots.map_err(target.trouble("ask which node serves which slot (CLUSTER SLOTS)"))?;
        let mut topology = Self { ranges: Vec::new(), primaries: Vec::new() };
        for range in &slots {
            topology.add(target, range).map_err(target.trouble("read the answer of CLUSTER SLOTS"))?;
        }
        Ok(Some(topology))
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

    /// `[first slot, last slot, [host, port, …], replicas…]`; without a host, it is the one that was asked.
    fn add(&mut self, asked: &Target, range: &[Value]) -> RedisResult<()> {
        let odd = || redis::RedisError::from((redis::ErrorKind::UnexpectedReturnType, "no range of slots"));
        let number = |value: &Value| match value {
            Value::Int(number) => u16::try_from(*number).map_err(|_| odd()),
            _ => Err(odd()),
        };
        let [start, end, Value::Array(node), ..] = range else { return Err(odd()) };
        let [host, port, ..] = node.as_slice() else { return Err(odd()) };
        let host = match host {
            Value::BulkString(host) if !host.is_empty() && host != b"?" => {
                Some(String::from_utf8_lossy(host).into_owned())
            }
            _ => None,
        };
        let target = asked.at(host.as_deref(), number(port)?)?;
        let known = self.primaries.iter().position(|primary| primary.shown() == target.shown());
        let node = known.unwrap_or(self.primaries.len());
        if known.is_none() {
            self.primaries.push(target);
        }
        self.ranges.push((number(start)?, number(end)?, node));
        Ok(())
    }
}
