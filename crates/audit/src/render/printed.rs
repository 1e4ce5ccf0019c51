//! A rulebook as one page to print, as HTML or Markdown.

mod html;
mod markdown;

pub(crate) use html::html;
pub(crate) use markdown::markdown;
