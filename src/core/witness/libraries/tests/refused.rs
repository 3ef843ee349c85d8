//! Libraries that the engine may have refused for a function of theirs.

use super::{Libraries, ROOM, Server, called, library, load, look, replace};

/// A library that the engine may have refused has not taken the function from the one that had it, whatever the two do later.
#[test]
fn a_function_of_two_libraries_is_nobody_s_until_one_is_gone() {
    let [l, m, other, n] =
        [library("l", "f", "l"), library("m", "f", "m"), library("m", "f", "other"), library("n", "f", "n")];
    for second in [load, replace] {
        let mut server = Server::default();
        load(&mut server, &l);
        second(&mut server, &m);
        assert_eq!(called(&mut server, "f"), None);
        // Each of these is refused as well.
        replace(&mut server, &other);
        assert_eq!(called(&mut server, "f"), None);
        load(&mut server, &n);
        look(&mut server, &["FUNCTION", "DELETE", "m"]);
        assert_eq!(called(&mut server, "f"), None);
        look(&mut server, &["FUNCTION", "DELETE", "n"]);
        assert_eq!(called(&mut server, "f"), Some(l.clone()));
        // What comes after that is taken again.
        replace(&mut server, &library("l", "g", ""));
        load(&mut server, &m);
        assert_eq!(called(&mut server, "f"), Some(m.clone()));
    }
}

/// So too where the first one's text is not known: there were libraries before, or there is no room.
#[test]
fn a_library_without_a_text_keeps_its_functions() {
    let mut server = Server { libraries: Libraries::unknown(), ..Server::default() };
    load(&mut server, &library("l", "f", ""));
    replace(&mut server, &library("m", "f", "refused"));
    assert_eq!(called(&mut server, "f"), None);
    let mut server = Server::default();
    load(&mut server, &library("l", "f", &"x".repeat(ROOM)));
    replace(&mut server, &library("m", "f", "refused"));
    assert_eq!(called(&mut server, "f"), None);
    look(&mut server, &["FUNCTION", "DELETE", "l"]);
    assert_eq!(called(&mut server, "f"), Some(library("m", "f", "refused")), "if anything runs, it is this");
}

/// A name that is made of others may be any.
#[test]
fn a_library_that_makes_names_up_may_be_in_the_way_of_any_other() {
    let mut server = Server::default();
    let made_up = "#!lua name=l\nredis.register_function('f' .. 1, function() end)";
    load(&mut server, made_up);
    load(&mut server, &library("m", "f1", "refused"));
    assert_eq!(called(&mut server, "f1"), None);
    // What was there before it is not touched by it.
    let (mut server, first) = (Server::default(), library("m", "f1", ""));
    load(&mut server, &first);
    load(&mut server, made_up);
    assert_eq!(called(&mut server, "f1"), Some(first));
}

/// So too where there are so many that may be there by one name that they are not told apart any more.
#[test]
fn a_function_of_two_libraries_is_nobody_s_though_one_is_forgotten() {
    let mut server = Server::default();
    load(&mut server, &library("l", "f", "l"));
    for version in 0..=super::super::MOST_POSSIBLE {
        load(&mut server, &library("m", "f", &version.to_string()));
        assert_eq!(called(&mut server, "f"), None, "{version}");
    }
    // What the engine has told of is there, whatever others there may be.
    let mut server = Server::default();
    load(&mut server, &library("l", "f", "l"));
    server.libraries.settle();
    look(&mut server, &["FUNCTION", "RESTORE", "payload"]);
    assert_eq!(called(&mut server, "f"), Some(library("l", "f", "l")));
}
