//! Errors of the system and of the reader of CSV: files, folders, addresses, connections.

use std::io::{Error, ErrorKind};

use rustix::io::Errno;

use super::phrases::{Phrase, because, known};
use super::{Spanish, by_type};

pub(super) const PHRASES: &[Phrase] = &[
    ("{0} at path {1}", "{~0} en {1}"),
    ("it is no file; remove it", "no es un archivo; quítelo"),
    ("it is no file", "no es un archivo"),
    ("failed to lookup address information: {0}", "no se halla la dirección de ese nombre (detalle: {0})"),
    ("invalid socket address", "no es una dirección con su puerto"),
    ("invalid port value", "el puerto no es un número de 0 a 65535"),
    ("failed to fill whole buffer", "el contenido termina antes de lo esperado"),
    ("failed to write whole buffer", "no se aceptó todo lo que se escribía"),
    ("stream did not contain valid UTF-8", "el contenido no es UTF-8"),
];

impl Spanish for Error {
    fn spanish(&self) -> String {
        match (self.raw_os_error(), self.get_ref()) {
            (Some(number), _) => match of_number(number).or_else(|| of_kind(self.kind())) {
                Some(words) => format!("{words} (error {number} del sistema)"),
                None => format!("error del sistema (detalle: {self})"),
            },
            (None, Some(inner)) => of_inner(self.kind(), inner),
            (None, None) => {
                let words = || of_kind(self.kind()).map(str::to_owned);
                let english = || format!("error del sistema (detalle: {self})");
                known(&self.to_string()).or_else(words).unwrap_or_else(english)
            }
        }
    }
}

/// What somebody else wrapped: it is known by its type or its words, else only by the kind that it was given.
fn of_inner(kind: ErrorKind, inner: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let english = inner.to_string();
    by_type(inner).or_else(|| known(&english)).unwrap_or_else(|| {
        let words = of_kind(kind).unwrap_or("error al leer o escribir");
        format!("{words} (detalle: {english})")
    })
}

/// Numbers that have no kind of their own, or one that says less.
fn of_number(number: i32) -> Option<&'static str> {
    Some(match Errno::from_raw_os_error(number) {
        Errno::PERM => "operación no permitida",
        Errno::MFILE => "demasiados archivos abiertos en este proceso",
        Errno::NFILE => "demasiados archivos abiertos en el sistema",
        Errno::IO => "error de entrada o salida del dispositivo",
        Errno::NXIO | Errno::NODEV => "el dispositivo no existe",
        Errno::LOOP => "demasiados enlaces simbólicos",
        Errno::NAMETOOLONG => "el nombre del archivo es demasiado largo",
        Errno::TXTBSY => "el archivo es un programa en ejecución",
        Errno::AGAIN => "el recurso no está disponible por el momento",
        _ => return None,
    })
}

/// The kinds that are known; the standard library may add others.
#[allow(clippy::wildcard_enum_match_arm, reason = "some kinds have no stable name yet")]
fn of_kind(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "no existe el archivo o la carpeta",
        ErrorKind::PermissionDenied => "permiso denegado",
        ErrorKind::ConnectionRefused => "conexión rechazada",
        ErrorKind::ConnectionReset => "la otra parte cortó la conexión",
        ErrorKind::ConnectionAborted => "la conexión se interrumpió",
        ErrorKind::HostUnreachable => "no se llega a esa máquina",
        ErrorKind::NetworkUnreachable => "no se llega a esa red",
        ErrorKind::NetworkDown => "la red está caída",
        ErrorKind::NotConnected => "no hay conexión",
        ErrorKind::AddrInUse => "la dirección ya está en uso",
        ErrorKind::AddrNotAvailable => "esa dirección no es de esta máquina",
        ErrorKind::BrokenPipe => "quien leía cerró la conexión o la tubería",
        ErrorKind::AlreadyExists => "el archivo o la carpeta ya existe",
        ErrorKind::WouldBlock => "el recurso no está disponible por el momento",
        ErrorKind::NotADirectory => "no es una carpeta",
        ErrorKind::IsADirectory => "es una carpeta",
        ErrorKind::DirectoryNotEmpty => "la carpeta no está vacía",
        ErrorKind::ReadOnlyFilesystem => "el sistema de archivos es de solo lectura",
        ErrorKind::StaleNetworkFileHandle => "el archivo de la red ya no es válido",
        ErrorKind::InvalidInput => "argumento no válido",
        ErrorKind::InvalidData => "el contenido no es válido",
        ErrorKind::TimedOut => "se agotó el tiempo de espera",
        ErrorKind::WriteZero => "no se aceptó nada de lo que se escribía",
        ErrorKind::StorageFull => "no queda espacio en el disco",
        ErrorKind::NotSeekable => "en este archivo no se puede cambiar de posición",
        ErrorKind::QuotaExceeded => "se superó la cuota de disco",
        ErrorKind::FileTooLarge => "el archivo es demasiado grande",
        ErrorKind::ResourceBusy => "el archivo o el dispositivo está en uso",
        ErrorKind::ExecutableFileBusy => "el archivo es un programa en ejecución",
        ErrorKind::Deadlock => "el bloqueo del archivo no se puede conceder nunca",
        ErrorKind::CrossesDevices => "los dos archivos están en discos distintos",
        ErrorKind::TooManyLinks => "el archivo tiene demasiados enlaces",
        ErrorKind::InvalidFilename => "el nombre del archivo no es válido",
        ErrorKind::ArgumentListTooLong => "la lista de argumentos es demasiado larga",
        ErrorKind::Interrupted => "la operación se interrumpió",
        ErrorKind::Unsupported => "el sistema no admite esta operación",
        ErrorKind::UnexpectedEof => "el contenido termina antes de lo esperado",
        ErrorKind::OutOfMemory => "no queda memoria",
        _ => return None,
    })
}

impl Spanish for csv::Error {
    fn spanish(&self) -> String {
        match self.kind() {
            csv::ErrorKind::Io(error) => error.spanish(),
            csv::ErrorKind::Utf8 { pos, .. } => format!("{}el contenido no es UTF-8", line(pos.as_ref())),
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                format!("{}la fila tiene {len} columnas y se esperaban {expected_len}", line(pos.as_ref()))
            }
            csv::ErrorKind::Seek | csv::ErrorKind::Serialize(_) | csv::ErrorKind::Deserialize { .. } | _ => {
                format!("no se puede leer como CSV{}", because(&self.to_string()))
            }
        }
    }
}

fn line(position: Option<&csv::Position>) -> String {
    position.map(|position| format!("línea {}: ", position.line())).unwrap_or_default()
}
