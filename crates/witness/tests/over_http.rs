//! The witness over real HTTP: answers as C2SP words them, limits, a stop that lets answers finish; and
//! the client against witnesses that are honest, broken or hostile.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tlog::cosignature::WitnessSigningKey;
use tlog::policy::WitnessPolicy;
use witness::{AskError, Contradiction, Limits, Submission, submit};

use crate::histories::{History, brief, witness_key, witness_vkey};
use crate::running::Running;

/// A policy of one witness at this address.
fn policy(address: SocketAddr) -> WitnessPolicy {
    format!("witness desk {} http://{address}/\nquorum desk\n", witness_vkey()).parse().unwrap()
}

fn hand_in(policy: &WitnessPolicy, history: &History, size: usize) -> Submission {
    submit(policy, &history.leaves[..], &history.signed(size), None, brief())
}

fn outcome(submission: &Submission) -> &AskError {
    submission.asked[0].outcome.as_ref().unwrap_err()
}

#[test]
fn answers_are_worded_as_the_specification_words_them() {
    let running = Running::start(witness_key(), Limits::default());
    let honest = History::new(40, 40, 0);
    let (status, kind, body) = running.post(&honest.request(0, 10));
    assert_eq!((status, kind.as_str()), (200, "text/plain; charset=utf-8"));
    assert!(body.starts_with("\u{2014} regulator.example/w1 ") && body.ends_with('\n'), "{body}");
    honest.signed(10).cosignature_in(&body, &witness_vkey()).unwrap();
    let conflict = (409, "text/x.tlog.size".to_owned(), "10\n".to_owned());
    assert_eq!(running.post(&honest.request(0, 20)), conflict);
    assert_eq!(running.post(&honest.request(20, 30)), conflict);
    let (status, _, body) = running.post("old x\n");
    assert_eq!((status, body.lines().count()), (400, 1), "{body}");
    let url = format!("http://{}", running.address);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    assert_eq!(agent.get(format!("{url}/add-checkpoint")).call().unwrap().status(), 405);
    assert_eq!(agent.post(format!("{url}/add-tree-head")).send("").unwrap().status(), 404);
}

// The story: whoever opened 64 connections made the witness close those of logs whose checkpoints were arriving.
#[test]
fn a_checkpoint_that_is_arriving_is_not_given_up_for_new_connections() {
    let limits = Limits { connections: 4, ..Limits::default() };
    let running = Running::start(witness_key(), limits);
    let body = History::new(5, 5, 0).request(0, 5);
    let head = format!("POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {}\r\n\r\n", body.len());
    let whole = head + &body;
    // Two have sent a part of the head, two a part of the body.
    let arriving: Vec<(TcpStream, &str)> = [10, 20, whole.len() - 9, whole.len() - 1]
        .into_iter()
        .map(|sent| {
            let mut stream = TcpStream::connect(running.address).unwrap();
            stream.write_all(&whole.as_bytes()[..sent]).unwrap();
            (stream, &whole[sent..])
        })
        .collect();
    std::thread::sleep(Duration::from_millis(600));
    for _ in 0..300 {
        drop(TcpStream::connect(running.address).unwrap());
    }
    let mut refused = TcpStream::connect(running.address).unwrap();
    refused.write_all(whole.as_bytes()).unwrap();
    let mut answer = String::new();
    refused.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("\r\nretry-after: 1\r\n"), "{answer}");
    for (mut stream, rest) in arriving {
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(rest.as_bytes()).unwrap();
        let (mut start, mut read) = ([0; 12], 0);
        while read < start.len() {
            read += stream.read(&mut start[read..]).unwrap();
        }
        // One of them is first; the others find its size.
        assert!(matches!(&start, b"HTTP/1.1 200" | b"HTTP/1.1 409"), "{}", String::from_utf8_lossy(&start));
    }
    // Those connections wait for further requests now: one of them makes room.
    assert_eq!(running.post_when_free(&body).0, 409);
}

#[test]
fn what_is_too_long_or_too_slow_is_cut_off_and_others_are_answered() {
    let limits = Limits {
        connections: 8,
        request: Duration::from_millis(300),
        answer: Duration::from_millis(300),
        stop: Duration::from_secs(1),
        ..Limits::default()
    };
    // A witness of its own: its connection may keep a slot for a moment after the answer.
    let (status, ..) = Running::start(witness_key(), limits).post(&"a".repeat(1_000_000));
    assert_eq!(status, 413);
    let running = Running::start(witness_key(), limits);
    // Checkpoints and bodies that never end, as many as there are slots.
    let begun = Instant::now();
    let slow: Vec<TcpStream> = (0..8)
        .map(|number| {
            let mut stream = TcpStream::connect(running.address).unwrap();
            let signed = [
                "POST /add-check",
                "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 99\r\n\r\nold",
            ];
            stream.write_all(signed[number % 2].as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(running.post_when_free(&History::new(5, 5, 0).request(0, 5)).0, 200);
    assert!(begun.elapsed() < Duration::from_secs(5));
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[test]
fn a_request_says_once_which_host_it_is_for() {
    let running = Running::start(witness_key(), Limits::default());
    for hosts in ["", "Host: w\r\nHost: w\r\n", "Host: a b\r\n"] {
        let mut stream = TcpStream::connect(running.address).unwrap();
        let signed =
            format!("POST /add-checkpoint HTTP/1.1\r\n{hosts}Connection: close\r\nContent-Length: 0\r\n\r\n");
        stream.write_all(signed.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("Host header"), "{hosts}: {answer}");
    }
}

#[test]
fn a_stop_does_not_wait_for_who_says_nothing() {
    let limits = Limits { stop: Duration::from_millis(200), ..Limits::default() };
    let running = Running::start(witness_key(), limits);
    let idle = TcpStream::connect(running.address).unwrap();
    running.post(&History::new(5, 5, 0).request(0, 5));
    let begun = Instant::now();
    drop(running);
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(idle);
}

#[test]
fn a_log_that_grows_is_cosigned_and_one_behind_or_rewritten_is_told_loudly() {
    let running = Running::start(witness_key(), Limits::default());
    let policy = policy(running.address);
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 20, 1));
    for size in [0, 1, 10, 10, 30] {
        let handed = hand_in(&policy, &honest, size);
        assert!(handed.witnessed.quorum, "{size}: {:?}", handed.asked);
        witness_vkey().verify(&handed.cosigned).unwrap();
    }
    let contradiction = |submission: Submission| submission.contradictions().next().unwrap().1.clone();
    let behind = contradiction(hand_in(&policy, &honest, 20));
    assert_eq!(behind, Contradiction::SawMore { seen: 30, size: 20 });
    assert_eq!(contradiction(hand_in(&policy, &fork, 30)), Contradiction::OtherRoot { size: 30 });
    let rewritten = contradiction(hand_in(&policy, &fork, 40));
    assert_eq!(rewritten, Contradiction::OtherHistory { seen: 30, size: 40 });
    // What was cosigned before tells where the witness stands, and its lines are kept.
    let before = hand_in(&policy, &honest, 30).cosigned;
    let grown = submit(&policy, &honest.leaves[..], &honest.signed(40), Some(&before), brief());
    assert!(grown.witnessed.quorum && grown.cosigned.signatures().len() == 2);
    let again = submit(&policy, &honest.leaves[..], &honest.signed(40), Some(&grown.cosigned), brief());
    assert_eq!(again.cosigned.signatures().len(), 2);
}

#[test]
fn witnesses_are_asked_side_by_side_and_a_dead_one_spoils_nothing() {
    let second = WitnessSigningKey::from_seed("union.example/w2", &[2; 32]).unwrap();
    let third = WitnessSigningKey::from_seed("press.example/w3", &[3; 32]).unwrap();
    let running =
        [Running::start(witness_key(), Limits::default()), Running::start(second.clone(), Limits::default())];
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let text = format!(
        "witness one {} http://{}\nwitness two {} http://{}\nwitness three {} http://{}\nwitness four {}\n\
         group most 2 one two three four\nquorum most\n",
        witness_vkey(),
        running[0].address,
        second.verifier_key(),
        running[1].address,
        third.verifier_key(),
        nobody.local_addr().unwrap(),
        WitnessSigningKey::from_seed("w4", &[4; 32]).unwrap().verifier_key(),
    );
    let handed = hand_in(&text.parse().unwrap(), &History::new(9, 9, 0), 9);
    assert!(handed.witnessed.quorum);
    assert_eq!(handed.cosigned.signatures().len(), 3);
    assert!(matches!(handed.asked[2].outcome, Err(AskError::Unanswered { attempts: 2, .. })));
    assert_eq!(handed.asked[3].outcome, Err(AskError::NoUrl));
}

/// A server that answers each request with the next of these, raw; the last one for ever. Requests are
/// kept.
fn fake(answers: Vec<Vec<u8>>) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, requests) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let heard = Arc::clone(&requests);
    std::thread::spawn(move || {
        // Open, and never answered.
        let mut silent = Vec::new();
        for (stream, number) in listener.incoming().zip(0..) {
            let mut stream = stream.unwrap();
            heard.lock().unwrap().push(request(&mut stream));
            let answer = answers.get(number).or(answers.last()).unwrap();
            // The client may have gone: that is what some of these provoke.
            let _ = stream.write_all(answer);
            silent.extend(answer.is_empty().then_some(stream));
        }
    });
    (address, requests)
}

/// The body of a request, read to its announced end.
fn request(stream: &mut TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((signed, body)) = text.split_once("\r\n\r\n") {
            let length = signed
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.unwrap().parse::<usize>().unwrap() {
                return body.to_owned();
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
        }
    }
}

fn http(status: &str, body: &str) -> Vec<u8> {
    let signed = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    [signed.as_bytes(), body.as_bytes()].concat()
}

fn answered(answers: Vec<Vec<u8>>) -> (Submission, Vec<String>) {
    let (address, requests) = fake(answers);
    let submission = hand_in(&policy(address), &History::new(40, 40, 0), 30);
    let requests = requests.lock().unwrap().clone();
    (submission, requests)
}

#[test]
fn what_passes_is_waited_for_and_then_told() {
    let honest = History::new(40, 40, 0);
    let good = witness_key().cosign(&honest.signed(30), 7).unwrap().to_string();
    for bad in [
        http("500 Oops", "no"),
        http("503 Later", ""),
        http("429 Slow down", ""),
        http("409 Conflict", ""),
        Vec::new(),
    ] {
        let (submission, requests) = answered(vec![bad.clone(), http("200 OK", &good)]);
        assert!(submission.witnessed.quorum, "{:?}", submission.asked);
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0], requests[1], "the same again");
        let (submission, requests) = answered(vec![bad]);
        assert!(matches!(outcome(&submission), AskError::Unanswered { attempts: 2, .. }));
        assert_eq!(requests.len(), 2);
    }
    let (submission, _) = answered(vec![http("409 Conflict", "")]);
    assert!(outcome(&submission).to_string().contains("409 without the size"), "{}", outcome(&submission));
}

#[test]
fn a_size_is_believed_once_it_leads_somewhere_and_no_longer() {
    let honest = History::new(40, 40, 0);
    let good = witness_key().cosign(&honest.signed(30), 7).unwrap().to_string();
    let size = |size: &str| http("409 Conflict", size);
    let (submission, requests) = answered(vec![size("12\n"), size("20\n"), http("200 OK", &good)]);
    assert!(submission.witnessed.quorum);
    assert_eq!(requests[1..], [honest.request(12, 30), honest.request(20, 30)]);
    // One that always names another size, and one that names the size it was asked with.
    let (submission, requests) = answered((1..30).map(|number| size(&format!("{number}\n"))).collect());
    assert!(matches!(outcome(&submission), AskError::Unanswered { .. }) && requests.len() < 10);
    let (submission, _) = answered(vec![size("12\n")]);
    assert!(
        outcome(&submission).to_string().contains("asks for a proof from 12 entries again"),
        "{}",
        outcome(&submission)
    );
    for odd in ["", "x", "-1\n", "+5\n", "012\n", "12 \n", "99999999999999999999\n", "12\n13\n"] {
        let (submission, _) = answered(vec![size(odd)]);
        assert!(
            outcome(&submission).to_string().contains("without the size"),
            "{odd:?}: {}",
            outcome(&submission)
        );
    }
    let (submission, _) = answered(vec![size("31\n")]);
    assert_eq!(*outcome(&submission), Contradiction::SawMore { seen: 31, size: 30 }.into());
}

/// Story: a witness that answered the fork of an equal size with a 409 and no size was taken for one that is
/// out of order for now, and the forked log was sealed on in front of it.
#[test]
fn a_conflict_at_the_log_s_own_size_is_never_agreement() {
    let honest = History::new(40, 40, 0);
    let good = witness_key().cosign(&honest.signed(30), 7).unwrap().to_string();
    let (at_own_size, no_size) = (http("409 Conflict", "30\n"), http("409 Conflict", ""));
    let conflict = AskError::from(Contradiction::Conflict { size: 30 });
    let (submission, requests) = answered(vec![at_own_size.clone(), no_size.clone()]);
    assert_eq!(
        (outcome(&submission), requests.len()),
        (&conflict, 3),
        "asked again, as often as patience has it"
    );
    assert_eq!(requests[1], honest.request(30, 30));
    // What comes after it does not take it back, whatever it is that is no cosignature and no word of its own.
    for after in [http("500 Oops", ""), Vec::new(), http("429 Slow down", ""), http("200", "")] {
        let (submission, _) = answered(vec![at_own_size.clone(), no_size.clone(), after]);
        assert!(!submission.witnessed.quorum);
        assert!(!matches!(outcome(&submission), AskError::Unanswered { .. }), "{}", outcome(&submission));
    }
    let (submission, _) = answered(vec![at_own_size.clone(), no_size.clone(), http("200 OK", &good)]);
    assert!(submission.witnessed.quorum, "a conflict that passed");
    // The cosigned checkpoint kept before says where the witness stood.
    let (address, _) = fake(vec![no_size]);
    let before =
        honest.signed(30).with_cosignature(&witness_key().cosign(&honest.signed(30), 7).unwrap()).unwrap();
    let again = submit(&policy(address), &honest.leaves[..], &honest.signed(30), Some(&before), brief());
    assert_eq!(outcome(&again), &conflict);
    // Today's specification answers it with 422.
    let (submission, requests) =
        answered(vec![at_own_size, http("422 Unprocessable Entity", "two histories")]);
    assert_eq!(outcome(&submission), &Contradiction::OtherRoot { size: 30 }.into());
    assert_eq!(requests.len(), 2, "422 is final");
    let (submission, _) = answered(vec![http("409 Conflict", "12\n"), http("422 Unprocessable Entity", "")]);
    assert_eq!(outcome(&submission), &Contradiction::OtherHistory { seen: 12, size: 30 }.into());
}

/// An answer of this status that asks to come again later.
fn later(status: &str, when: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nRetry-After: {when}\r\nContent-Length: 0\r\n\r\n")
        .into_bytes()
}

#[test]
fn a_witness_that_asks_to_come_again_later_is_left_alone_that_long_within_bounds() {
    let honest = History::new(40, 40, 0);
    let good = http("200 OK", &witness_key().cosign(&honest.signed(30), 7).unwrap().to_string());
    let soon = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(2));
    for (status, when, least) in [
        // A moment has no fractions of a second; it is near, so this comes first.
        ("503 Service Unavailable", soon.as_str(), 500),
        ("429 Too Many Requests", "1", 1_000),
        ("503 Service Unavailable", "1", 1_000),
        ("503 Service Unavailable", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("503 Service Unavailable", "soon", 0),
        ("503 Service Unavailable", "-5", 0),
        ("500 Oops", "3", 0),
    ] {
        let begun = Instant::now();
        let (submission, requests) = answered(vec![later(status, when), good.clone()]);
        assert!(submission.witnessed.quorum && requests.len() == 2, "{when}: {:?}", submission.asked);
        let took = begun.elapsed();
        assert!(took >= Duration::from_millis(least), "{when}: {took:?}");
        assert!(least > 0 || took < Duration::from_secs(2), "{when}: {took:?}");
    }
    // Longer than there is patience: it is not waited for, and not asked again.
    for when in ["3600", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let begun = Instant::now();
        let (submission, requests) = answered(vec![later("503 Service Unavailable", when), good.clone()]);
        assert!(matches!(outcome(&submission), AskError::Unanswered { attempts: 1, .. }), "{when}");
        assert!(
            outcome(&submission).to_string().contains("to be left alone for"),
            "{}",
            outcome(&submission)
        );
        assert!(requests.len() == 1 && begun.elapsed() < Duration::from_secs(2));
    }
}

/// Whatever a witness answers, and however slowly, it is asked no longer than patience has time.
#[test]
fn all_attempts_together_end_in_time() {
    let sizes: Vec<Vec<u8>> = (1..30).map(|number| http("409 Conflict", &format!("{number}\n"))).collect();
    let slow = |answers: Vec<Vec<u8>>, pause: Duration| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for (stream, number) in listener.incoming().zip(0..) {
                let mut stream = stream.unwrap();
                request(&mut stream);
                let answer: &Vec<u8> = answers.get(number).or(answers.last()).unwrap();
                // A byte at a time; the client may go before the end.
                for byte in answer {
                    std::thread::sleep(pause);
                    if stream.write_all(&[*byte]).is_err() {
                        break;
                    }
                }
            }
        });
        address
    };
    let honest = History::new(40, 40, 0);
    let patience = witness::Patience {
        attempts: 5,
        pause: Duration::from_millis(10),
        timeout: Duration::from_secs(10),
        whole: Duration::from_millis(900),
    };
    for address in [
        slow(sizes, Duration::from_millis(4)),
        slow(vec![http("200 OK", &"\u{2014} w AAAA\n".repeat(1_000))], Duration::from_millis(20)),
        slow(vec![http("503 Later", "")], Duration::from_millis(5)),
    ] {
        let begun = Instant::now();
        let handed = submit(&policy(address), &honest.leaves[..], &honest.signed(30), None, patience);
        assert!(matches!(outcome(&handed), AskError::Unanswered { .. }), "{:?}", handed.asked);
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}

#[test]
fn what_is_not_its_word_is_never_kept() {
    let honest = History::new(40, 40, 0);
    let stranger = WitnessSigningKey::from_seed("regulator.example/w1", &[9; 32]).unwrap();
    let by_stranger = stranger.cosign(&honest.signed(30), 7).unwrap().to_string();
    let of_another = witness_key().cosign(&honest.signed(29), 7).unwrap().to_string();
    for answer in ["", "\n", "thank you\n", "<html>\n<body>\n", "\u{2014} \n", &by_stranger, &of_another] {
        let (submission, requests) = answered(vec![http("200 OK", answer)]);
        assert!(matches!(outcome(&submission), AskError::NotBelieved(_)), "{answer}: {:?}", submission.asked);
        assert!(!submission.witnessed.quorum && submission.cosigned.signatures().len() == 1);
        assert_eq!(requests.len(), 1);
    }
}

#[test]
fn refusals_floods_and_silence_end_in_a_short_message() {
    for status in ["400 Bad", "403 No", "404 Who", "418 Teapot", "301 Gone", "422 Unprocessable"] {
        let (submission, requests) = answered(vec![http(status, "a\u{1b}[31mlog\nsecond line")]);
        let AskError::Refused { status: refused, said } = outcome(&submission) else {
            panic!("{submission:?}")
        };
        assert!(
            status.starts_with(&refused.to_string()) && !said.contains('\u{1b}') && !said.contains("second")
        );
        assert_eq!(requests.len(), 1, "{status} is final");
    }
    let flood = http("200 OK", &"\u{2014} regulator.example/w1 AAAA\n".repeat(200_000));
    let endless = [b"HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n".to_vec(), vec![b'a'; 3 << 20]].concat();
    for answer in
        [flood, endless, b"HTTP/1.1 2".to_vec(), b"no http at all\r\n\r\n".to_vec(), vec![0; 100_000]]
    {
        let begun = Instant::now();
        let (submission, _) = answered(vec![answer]);
        assert!(matches!(outcome(&submission), AskError::Unanswered { .. }), "{submission:?}");
        assert!(outcome(&submission).to_string().len() < 400 && begun.elapsed() < Duration::from_secs(5));
    }
}
