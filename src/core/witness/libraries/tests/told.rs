//! What the engine itself says that there is.

use super::super::{Home, Listed};
use super::{Libraries, ROOM, Server, called, library, load, replace};

fn listed(name: &str, functions: &[&str], text: &str) -> Listed {
    let functions = functions.iter().map(|function| function.as_bytes().to_vec()).collect();
    Listed { name: name.as_bytes().to_vec(), functions, text: text.as_bytes().to_vec() }
}

#[test]
fn what_the_engine_tells_is_so() {
    let mut server = Server { libraries: Libraries::unknown(), ..Server::default() };
    let [l, m] = [library("l", "f", "l"), library("m", "f", "m")];
    let made_up = "#!lua name=n\nredis.register_function('f' .. 1, function() end)";
    let all = [listed("l", &["f"], &l), listed("n", &["f1"], made_up)];
    server.libraries.set(&all, ROOM);
    let now = |server: &mut Server| ["f", "F", "f1"].map(|function| called(server, function));
    let told = [Some(l.clone()), Some(l.clone()), Some(made_up.to_owned())];
    assert_eq!(now(&mut server), told);
    // Refused: the name is there, or the function is another's.
    load(&mut server, &library("l", "g", ""));
    load(&mut server, &m);
    replace(&mut server, &m);
    assert_eq!((now(&mut server), called(&mut server, "g")), (told, None));
    // Beside those that are told, another is taken; and there are no others.
    let o = library("o", "g", "");
    load(&mut server, &o);
    assert_eq!(called(&mut server, "g"), Some(o));
    server.libraries.set(&[], ROOM);
    assert!(["f", "f1", "g"].into_iter().all(|function| matches!(server.libraries.home(function), Home::Unheard)));
    load(&mut server, &m);
    assert_eq!(called(&mut server, "f"), Some(m));
}

/// A text may have a name and fail to load.
#[test]
fn what_was_taken_for_loaded_and_is_not_there_was_refused() {
    let mut server = Server::default();
    let [first, broken] = [library("l", "f", "first"), library("l", "f", "broken")];
    load(&mut server, &first);
    let Home::In(before) = server.libraries.home("f") else { panic!("it is there") };
    replace(&mut server, &broken);
    let Home::In(after) = server.libraries.home("f") else { panic!("it is taken for there") };
    let all = [listed("l", &["f"], &first)];
    server.libraries.refuse_others(&all);
    server.libraries.set(&all, ROOM);
    assert_eq!((before.is_refused(), after.is_refused(), called(&mut server, "f")), (false, true, Some(first)));
    // Later it loads.
    replace(&mut server, &broken);
    let Home::In(now) = server.libraries.home("f") else { panic!("it is taken for there") };
    assert!(!now.is_refused() && after.is_refused());
}
