//! Connections for which there is no slot: they are told so, in HTTP/1.1, and closed.

use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Most connections that are refused at the same time. More are closed without a word: each needs a file handle.
const AT_ONCE: usize = 256;
/// Longest time for one of them.
const TIME: Duration = Duration::from_secs(2);
/// Most bytes of its request that are read and thrown away.
const MOST_READ: usize = 1 << 20;

const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-type: text/plain; \
charset=utf-8\r\ncontent-length: 59\r\nconnection: close\r\n\r\nall connections of this server are in use; try again later\n";

/// The refusals under way.
#[derive(Debug)]
pub(crate) struct Refusals(Arc<Semaphore>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Refusals {
    /// Refuses a connection, without waiting for its client.
    pub(crate) fn begin(&self, stream: TcpStream) {
        let Ok(permit) = Arc::clone(&self.0).try_acquire_owned() else { return };
        tokio::spawn(async move {
            // A client that does not read the answer, or breaks off, is not waited for.
            let _ = timeout(TIME, refuse(&stream)).await;
            drop((stream, permit));
        });
    }
}

/// The answer fits into what the system buffers. It is lost if the connection is closed while a part of the request is
/// unread, so the request is read until the client is done.
async fn refuse(stream: &TcpStream) -> io::Result<()> {
    stream.writable().await?;
    stream.try_write(ANSWER)?;
    SockRef::from(stream).shutdown(Shutdown::Write)?;
    let (mut piece, mut read) = ([0; 4_096], 0);
    while read < MOST_READ {
        stream.readable().await?;
        match stream.try_read(&mut piece) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::ANSWER;

    #[test]
    fn the_answer_is_as_long_as_it_says() {
        let text = String::from_utf8_lossy(ANSWER);
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
        assert!(text.contains(&format!("content-length: {}\r\n", body.unwrap_or_default())));
    }
}
