//! The allocator, and the program's end where no memory is left: with a message and the status of trouble of the machine.
//! The standard library would abort the program.

#![allow(
    unsafe_code,
    reason = "an allocator can be replaced in no other way, and an abort not be heard of; each call is passed on as it comes"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::io::{Write as _, stderr};
use std::sync::OnceLock;

use rustix::process::{Resource, getrlimit};
use signal_hook::consts::SIGABRT;
use signal_hook::low_level::{exit, register};
use tikv_jemallocator::Jemalloc;

use crate::exit::Exit;
use crate::language::texts;

/// The service's threads free what others have allocated, where the system's allocator makes them wait for one another.
#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd(Jemalloc);

/// What is said where no memory is left.
static MESSAGE: OnceLock<String> = OnceLock::new();

/// Makes the message, in the language that was chosen: later there may be no memory for it.
pub(crate) fn prepare() {
    MESSAGE.get_or_init(|| format!("audit: {}\n", texts().no_memory_left()));
}

struct OrEnd(Jemalloc);

// SAFETY: every call goes to jemalloc with the arguments that came, and its answer goes back.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        there(unsafe { self.0.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        there(unsafe { self.0.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        there(unsafe { self.0.realloc(memory, layout, size) })
    }
}

/// Under a limit of address space the C library aborts the program where it has no memory for a thread, and unwinding does: that
/// is said as well.
pub(crate) fn tell_aborts() {
    if getrlimit(Resource::As).current.is_some() {
        // SAFETY: the handler takes no lock and no memory: it writes bytes that are there, and ends the program.
        let _ = unsafe { register(SIGABRT, end) };
    }
}

fn end() {
    let text = MESSAGE.get().map_or("", String::as_str);
    let _ = rustix::io::write(stderr(), text.as_bytes());
    exit(i32::from(Exit::Machine.status()));
}

fn there(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        // Neither needs memory: the text is there, and standard error has no buffer.
        let text = MESSAGE.get().map_or("", String::as_str);
        let _ = stderr().write_all(text.as_bytes());
        exit(i32::from(Exit::Machine.status()));
    }
    memory
}
