//! The request to stop, which whoever runs an intake makes once.

use std::sync::Arc;

use tokio::sync::watch;

/// A request to stop, shared by its clones.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    /// Asks to stop.
    pub fn request(&self) {
        self.0.send_replace(true);
    }

    /// Waits until somebody asks.
    pub async fn requested(&self) {
        // The sender lives as long as this handle.
        let _ = self.0.subscribe().wait_for(|stop| *stop).await;
    }
}
