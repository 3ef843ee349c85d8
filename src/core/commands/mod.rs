//! Which keys a command touches: the engine's own key specifications, applied to a command's arguments.
