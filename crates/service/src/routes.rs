//! What is asked over HTTP: each route with its answer, and what comes before all of them. It judges nothing: of what
//! is judged it shows what [`live`](crate::live) has.

pub(crate) mod archive;
pub(crate) mod bodies;
pub(crate) mod certificate;
pub(crate) mod content;
pub(crate) mod desk_routes;
pub(crate) mod dry_run;
pub(crate) mod findings;
pub(crate) mod hosts;
pub(crate) mod ingest;
pub(crate) mod live_pages;
pub(crate) mod openapi;
pub(crate) mod pages;
pub(crate) mod pages_key;
pub(crate) mod query;
pub(crate) mod read_threads;
pub(crate) mod reading;
pub(crate) mod receipts;
pub(crate) mod rulebooks;
pub(crate) mod streams;
pub(crate) mod table_list;
pub(crate) mod tables;
