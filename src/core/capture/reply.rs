//! Reading a server's answer: which of its kinds it is shows in the first byte, so nothing is read twice.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::model::Reply;
use crate::core::bytes::{Bytes, from_base64};

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReplyVisitor)
    }
}

struct ReplyVisitor;

impl<'de> Visitor<'de> for ReplyVisitor {
    type Value = Reply;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a whole number, a string, {\"base64\":\"…\"}, {\"error\":\"…\"} or a list of these")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Reply, E> {
        Ok(Reply::Nil(()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Reply, E> {
        Ok(Reply::Integer(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Reply, E> {
        let number = i64::try_from(number);
        number.map(Reply::Integer).map_err(|_| de::Error::custom("no server answers with a number this large"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Reply, E> {
        Ok(Reply::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Reply, A::Error> {
        let mut replies = Vec::new();
        while let Some(reply) = seq.next_element()? {
            replies.push(reply);
        }
        Ok(Reply::Array(replies))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Reply, A::Error> {
        let key: Option<String> = map.next_key()?;
        let reply = match key.as_deref() {
            Some("base64") => Reply::Text(Bytes(from_base64(&map.next_value::<String>()?)?)),
            Some("error") => Reply::Error { error: map.next_value()? },
            _ => return Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        };
        if map.next_key::<String>()?.is_some() {
            return Err(de::Error::invalid_type(de::Unexpected::Map, &self));
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use crate::core::bytes::Bytes;
    use crate::core::capture::Reply;

    #[test]
    fn replies_survive_json() {
        for reply in [
            Reply::Nil(()),
            Reply::Integer(-7),
            Reply::Text("echomq:2.0.0".into()),
            Reply::Text(Bytes(vec![0xff])),
            Reply::Error { error: "WRONGTYPE".to_owned() },
            Reply::Array(vec![Reply::Text("a".into()), Reply::Nil(()), Reply::Array(Vec::new())]),
        ] {
            let json = serde_json::to_string(&reply).expect("a reply is always JSON");
            assert_eq!(serde_json::from_str::<Reply>(&json).expect(&json), reply, "{json}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for bad in [
            "1.5",
            "true",
            "{}",
            "{\"ok\":1}",
            "{\"error\":\"E\",\"base64\":\"\"}",
            "18446744073709551615",
            "{\"base64\":\"?\"}",
        ] {
            assert!(serde_json::from_str::<Reply>(bad).is_err(), "{bad}");
        }
    }
}
