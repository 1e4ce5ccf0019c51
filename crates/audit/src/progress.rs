//! Progress of long work: a line on a terminal, nothing when piped.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::language::texts;

/// Time between two drawings.
const TICK: Duration = Duration::from_millis(200);

/// A counter of what was done so far, shown on standard error when that is a terminal.
pub(crate) fn counter(what: String) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}: {human_pos} ({per_sec}, {elapsed})") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.enable_steady_tick(TICK);
    bar
}

/// Progress of reading a log: how much of it is read, and how long the rest will take. Shown on standard error when that
/// is a terminal.
pub(crate) struct Reading {
    bar: ProgressBar,
    events: u64,
    /// Whether the time left is shown.
    is_measured: bool,
}

impl Reading {
    pub(crate) fn start() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let reading = Self::on(target);
        if is_terminal {
            reading.bar.enable_steady_tick(TICK);
        }
        reading
    }

    /// Until the size is known, only what was read is shown.
    fn on(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        style(&bar, "{spinner} {msg} ({elapsed})".to_owned());
        bar.set_message(texts().events_judged(0));
        Self { bar, events: 0, is_measured: false }
    }

    /// The log says that it has so many entries.
    pub(crate) fn of_size(bar: &ProgressBar, entries: u64) {
        if entries > 0 {
            bar.set_length(entries);
        }
    }

    /// What is drawn, for another thread to set its size.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Read up to this entry, and so many more events.
    pub(crate) fn read(&mut self, entries: u64, events: u64) {
        self.events = self.events.saturating_add(events);
        self.bar.set_message(texts().events_judged(self.events));
        if !self.is_measured && self.bar.length().is_some() {
            // Before anything is read nobody knows how long the rest takes.
            let left = texts().time_left("{eta}");
            style(&self.bar, format!("{{spinner}} [{{bar:24}}] {{percent:>3}} %  {{msg}}, {left}"));
            self.is_measured = true;
        }
        self.bar.set_position(entries);
    }
}

/// The line goes: a report or a message stands in its place.
impl Drop for Reading {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(bar: &ProgressBar, template: String) {
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that keeps what is written to it.
    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn add(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn shown(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            100
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(&format!("{text}\n"))
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.add("[cleared]")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn how_much_is_read_and_how_long_it_will_take_is_drawn_and_cleared_at_the_end() {
        let screen = Screen::default();
        let mut reading = Reading::on(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        reading.read(10, 1_200);
        reading.bar.tick();
        assert!(screen.shown().contains("1,200 events judged") && !screen.shown().contains('%'));
        Reading::of_size(&reading.bar(), 40);
        reading.bar.tick();
        assert!(!screen.shown().contains(" left"), "{}", screen.shown());
        reading.read(30, 2_400);
        reading.bar.tick();
        let shown = screen.shown();
        assert!(shown.contains("75 %  3,600 events judged, ") && shown.contains(" left"), "{shown:?}");
        drop(reading);
        assert!(screen.shown().ends_with("[cleared]"), "{:?}", screen.shown());
    }

    #[test]
    fn a_log_that_says_nothing_of_its_size_has_no_end_to_wait_for() {
        let screen = Screen::default();
        let mut reading = Reading::on(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        Reading::of_size(&reading.bar(), 0);
        reading.read(u64::MAX, u64::MAX);
        reading.bar.tick();
        assert!(!screen.shown().contains('%'), "{}", screen.shown());
    }
}
