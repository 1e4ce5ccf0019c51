//! What is sent with a request that is refused before anything of it is looked at.

use std::time::Duration;

use axum::extract::Request;
use axum::http::header::EXPECT;
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

/// Most of a refused request's body that is let by, bytes: as long as a post may be by default.
const DRAINED_BYTES: usize = 8 << 20;
/// Longest time that takes.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// Lets what is being sent pass by for a moment, keeping nothing of it. Closed on bytes that nobody read, a
/// connection is reset, and who sent them never sees the answer and would send them again for ever.
pub(crate) async fn drain_body(request: Request) {
    if request.headers().contains_key(EXPECT) {
        return; // It waits for the answer before it sends.
    }
    let mut pieces = request.into_body().into_data_stream();
    let pass = async {
        let mut left = DRAINED_BYTES;
        while let Some(Ok(piece)) = pieces.next().await {
            match left.checked_sub(piece.len()) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    // Who takes longer is cut off.
    let _ = timeout(DRAIN_TIME, pass).await;
}
