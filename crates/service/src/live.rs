//! What goes on while the service runs, request or no request: the follower that judges, the thread that asks
//! witnesses, webhooks, the folder's maintenance, the fleet's board.

pub(crate) mod following;
pub(crate) mod house;
pub(crate) mod maintenance;
pub(crate) mod webhook;
pub(crate) mod witnessing;
pub(crate) mod writer_events;
