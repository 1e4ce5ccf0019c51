//! Events that come another way than over HTTP, and a service that takes no posts.
#![allow(clippy::unwrap_used)]

use intake::{NotRecorded, Recorder};
use sealed_log_sled::SledReader;
use std::sync::{Arc, Mutex};

use crate::serving::{Running, events};

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_recorded_once_and_answered_once_it_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let taken: Arc<Mutex<Option<Recorder<SledReader>>>> = Arc::default();
    let kept = Arc::clone(&taken);
    let running = Running::with(folder.path(), move |service| {
        *kept.lock().unwrap() = Some(service.recorder());
        service.without_posts()
    });
    let recorder = taken.lock().unwrap().clone().unwrap();
    let (table, lines) = events(3, 40);
    let message = lines.join("\n");

    let first = recorder.record(&table, None, message.as_bytes()).await.unwrap();
    assert_eq!((first.first, first.last, first.recorded, first.already_there), (1, 40, 40, 0));
    let size = recorder.signed_checkpoint().checkpoint().size;
    assert_eq!(first.entries, (0..size).collect::<Vec<_>>(), "the checkpoint covers them");

    let array = format!("[{}]", lines[..10].join(","));
    let again = recorder.record(&table, Some("application/json"), array.as_bytes()).await.unwrap();
    assert_eq!((again.last, again.recorded, again.already_there), (10, 0, 10));
    assert!(again.entries.iter().all(|entry| first.entries.contains(entry)) && !again.entries.is_empty());

    // The same number, another moment: both are there.
    let other = lines[1].replacen("20:0", "21:0", 1);
    assert_ne!(other, lines[1]);
    let conflict = recorder.record(&table, None, other.as_bytes()).await.unwrap();
    assert_eq!((conflict.recorded, conflict.conflicts), (1, 1));

    let size = recorder.signed_checkpoint().checkpoint().size;
    let broken = format!("{}\nno event\n", lines[0]);
    for (kind, message, why) in [
        (None, broken.as_str(), "line 2"),
        (Some("text/plain"), message.as_str(), "content type `text/plain`"),
    ] {
        match recorder.record(&table, kind, message.as_bytes()).await {
            Err(NotRecorded::Refused(said)) => assert!(said.contains(why), "{said}"),
            other => panic!("{other:?}"),
        }
    }
    let elsewhere = recorder.record("another", None, lines[0].as_bytes()).await;
    assert!(matches!(elsewhere, Err(NotRecorded::Refused(_))), "{elsewhere:?}");
    assert_eq!(recorder.signed_checkpoint().checkpoint().size, size, "nothing of it was recorded");

    let (status, problem) = running.lines(&table, &lines);
    assert_eq!(status, 403, "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("audit fleet send"), "{problem}");
    assert_eq!(recorder.signed_checkpoint().checkpoint().size, size);
}
