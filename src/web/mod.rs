//! The page's side: figures, custom elements and the functions that scripts call.
