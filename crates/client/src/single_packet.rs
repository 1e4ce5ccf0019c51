//! Sends a request's head and body in one packet. ureq hands them over one after the other; sent that way,
//! they would wake the service twice.

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// Up to this many bytes of a request are buffered until its answer is awaited.
const BUFFERED_BYTES: usize = 16 << 10;

/// The last link of a chain of connectors.
#[derive(Debug)]
pub(crate) struct SinglePacket;

/// A connection that sends when an answer is awaited, or earlier if there is much to send.
#[derive(Debug)]
pub(crate) struct Buffered<T> {
    transport: T,
    buffered: Vec<u8>,
}

impl<In: Transport> Connector<In> for SinglePacket {
    type Out = Buffered<In>;

    fn connect(&self, _: &ConnectionDetails<'_>, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(|transport| Buffered { transport, buffered: Vec::new() }))
    }
}

impl<T: Transport> Buffered<T> {
    fn send(&mut self, timeout: NextTimeout) -> Result<(), Error> {
        let most = self.transport.buffers().output().len().max(1);
        for part in std::mem::take(&mut self.buffered).chunks(most) {
            self.transport.buffers().output()[..part.len()].copy_from_slice(part);
            self.transport.transmit_output(part.len(), timeout)?;
        }
        Ok(())
    }
}

impl<T: Transport> Transport for Buffered<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.buffered.extend_from_slice(&self.transport.buffers().output()[..amount]);
        if self.buffered.len() > BUFFERED_BYTES { self.send(timeout) } else { Ok(()) }
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.send(timeout)?;
        self.transport.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.transport.is_open()
    }

    fn is_tls(&self) -> bool {
        self.transport.is_tls()
    }
}
