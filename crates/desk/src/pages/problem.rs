//! A page that cannot be made, and signing in.

use askama::Template;

use crate::frame::Frame;

#[derive(Template)]
#[template(path = "problem.html")]
pub(crate) struct Problem {
    pub(crate) frame: Frame,
    pub(crate) what: String,
    /// Where the operator finds the reason.
    pub(crate) request: Option<String>,
}

#[derive(Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignIn {
    pub(crate) frame: Frame,
    pub(crate) refused: Option<String>,
    /// The page that was asked for.
    pub(crate) back: String,
}
