//! A connection that can be cut: what is sent through it stops, and new connections are not answered.
#![allow(clippy::unwrap_used)]

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A proxy before a port of this machine.
pub struct Cut {
    port: u16,
    is_cut: watch::Sender<bool>,
}

impl Cut {
    pub async fn before(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let is_cut = watch::Sender::new(false);
        let seen = is_cut.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, port, seen.clone()));
            }
        });
        Self { port: own, is_cut }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn cut(&self) {
        self.is_cut.send_replace(true);
    }

    pub fn heal(&self) {
        self.is_cut.send_replace(false);
    }
}

/// Carries bytes until the connection is cut. Then both ends see nothing, as when a cable is drawn, until it heals.
async fn carry(mut near: TcpStream, port: u16, mut is_cut: watch::Receiver<bool>) {
    let Ok(mut far) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    if !*is_cut.borrow() {
        tokio::select! {
            _ = copy_bidirectional(&mut near, &mut far) => return,
            _ = is_cut.wait_for(|cut| *cut) => {}
        }
    }
    // Whoever holds an end learns nothing of it meanwhile.
    let _ = is_cut.wait_for(|cut| !*cut).await;
}
