//! A witness that serves over HTTP for one test.

#![allow(clippy::unwrap_used)]

use std::net::SocketAddr;
use std::thread::JoinHandle;

use tlog::cosignature::WitnessSigningKey;
use witness::{Limits, MemoryState, Server, Witness};

use crate::histories::vkey;

/// A witness that listens until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(key: WitnessSigningKey, limits: Limits) -> Self {
        let witness = Witness::open(key, [vkey()], MemoryState::default()).unwrap();
        let server = Server::bind("127.0.0.1:0", witness, limits).unwrap();
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let run = move || server.run_until(|_| {}, || async { drop(stopped.await) }).unwrap();
        Self { address, stop: Some(stop), thread: Some(std::thread::spawn(run)) }
    }

    /// Posts again while the witness is full, as its clients do.
    pub fn post_when_free(&self, body: &str) -> (u16, String, String) {
        let begun = std::time::Instant::now();
        loop {
            let answer = self.post(body);
            if answer.0 != 503 || begun.elapsed().as_secs() > 10 {
                return answer;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    pub fn post(&self, body: &str) -> (u16, String, String) {
        let url = format!("http://{}/add-checkpoint", self.address);
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut response = agent.post(&url).send(body).unwrap();
        let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), kind.unwrap_or_default(), text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}
