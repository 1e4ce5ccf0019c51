//! A request's head and body in one packet. They are handed to the connection one after the other; sent
//! so, they would wake the service twice.

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// Up to so many bytes of a request are kept until its answer is waited for.
const KEPT: usize = 16 << 10;

/// The last link of a chain of connectors.
#[derive(Debug)]
pub(crate) struct Together;

/// A connection that sends when an answer is waited for, and before where there is much to send.
#[derive(Debug)]
pub(crate) struct Joined<T> {
    transport: T,
    kept: Vec<u8>,
}

impl<In: Transport> Connector<In> for Together {
    type Out = Joined<In>;

    fn connect(&self, _: &ConnectionDetails<'_>, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(|transport| Joined { transport, kept: Vec::new() }))
    }
}

impl<T: Transport> Joined<T> {
    fn send(&mut self, timeout: NextTimeout) -> Result<(), Error> {
        let most = self.transport.buffers().output().len().max(1);
        for part in std::mem::take(&mut self.kept).chunks(most) {
            self.transport.buffers().output()[..part.len()].copy_from_slice(part);
            self.transport.transmit_output(part.len(), timeout)?;
        }
        Ok(())
    }
}

impl<T: Transport> Transport for Joined<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.kept.extend_from_slice(&self.transport.buffers().output()[..amount]);
        if self.kept.len() > KEPT { self.send(timeout) } else { Ok(()) }
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
