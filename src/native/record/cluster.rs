//! Whether a server is one node of many: MONITOR shows what that node runs, and nothing of the others.

use super::error::RecordError;
use super::live::Setup;
use crate::native::server::Topology;

/// What a recording shows of a cluster; nothing where the server is all there is.
///
/// # Errors
/// When another node serves the queue that is named: the recording would show nothing of it.
pub(super) fn share(setup: &Setup) -> Result<Option<String>, RecordError> {
    // Whoever may not ask for the slots is told all the same; a server that cannot be reached says so in a moment.
    let primaries = match Topology::of(&setup.target) {
        Ok(None) => return Ok(None),
        Ok(Some(topology)) if topology.primaries().len() == 1 => return Ok(None),
        Ok(Some(topology)) => format!("one of {} primaries of a cluster", topology.primaries().len()),
        Err(_) => "a node of a cluster".to_owned(),
    };
    let mut connection = setup.target.connect()?;
    let server = setup.target.shown().to_owned();
    if let Some(queue) = &setup.queue {
        // The node itself knows best what it serves, by whatever name it was reached.
        let key = setup.profile.queue_key(queue, "meta");
        let answer = redis::cmd("HGET").arg(key).arg("version").exec(&mut connection);
        if let Some((home, _)) = answer.as_ref().err().and_then(redis::RedisError::redirect_node) {
            let (queue, home) = (queue.clone(), home.to_owned());
            return Err(RecordError::Elsewhere { server, queue, home });
        }
    }
    Ok(Some(format!("{server} is {primaries}: what the other nodes run is not recorded")))
}
