//! Discards the body of a request that is refused before it is read.

use std::time::Duration;

use axum::extract::Request;
use axum::http::header::EXPECT;
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

/// Most bytes of a refused request's body that are discarded: the default limit of a post.
const DRAINED_BYTES: usize = 8 << 20;
/// Longest time for discarding.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// Reads and discards the body for a moment. If a connection is closed with unread bytes it is reset; the
/// client would then never see the answer and repeat the request.
pub async fn drain_body(request: Request) {
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
    // A client that takes longer is cut off.
    let _ = timeout(DRAIN_TIME, pass).await;
}
