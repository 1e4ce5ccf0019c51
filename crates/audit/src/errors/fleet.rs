//! Errors of a fleet.

use ::fleet::{Difference, FleetError};

use super::Spanish;
use super::phrases::{Phrase, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    (
        "it must be like nats://host:4222 or tls://host:4222",
        "se espera algo como nats://máquina:4222 o tls://máquina:4222",
    ),
    (
        "it holds a user or a password: put the password into a file of its own",
        "contiene un usuario o una contraseña: ponga la contraseña en un archivo aparte",
    ),
    ("there is none: name at least one server", "no hay ninguna: dé al menos un servidor"),
    ("it cannot be read: {0}", "no se puede leer: {~0}"),
    ("it is not a file of at most {0} bytes", "no es un archivo de {0} bytes como mucho"),
    ("its first line is empty", "su primera línea está vacía"),
    ("it has no PEM block of a {0}", "no contiene ningún bloque PEM {0}"),
    (
        "it is not a credentials file of NATS, which holds a JWT and the seed of a key",
        "no es un archivo de credenciales de NATS, que contiene un JWT y la semilla de una clave",
    ),
    ("none of them answers in time", "ninguno responde a tiempo"),
    ("show the lease", "mostrar el arriendo"),
    ("show the stream {0}", "mostrar el flujo {0}"),
    ("open the stream {0}", "abrir el flujo {0}"),
    ("make the stream {0}", "crear el flujo {0}"),
    ("open the bucket {0}", "abrir el cubo {0}"),
    ("list the consumers", "enumerar los consumidores"),
    ("delete the consumer {0}", "borrar el consumidor {0}"),
    ("make the consumer {0}", "crear el consumidor {0}"),
    ("finish a commit", "terminar una confirmación"),
    ("make room for a message", "hacer sitio a un mensaje"),
    ("no answer in time", "no respondieron a tiempo"),
    ("1, 3 or 5", "1, 3 o 5"),
    ("at least the bytes of one message", "al menos los bytes de un mensaje"),
    ("at most {0} bytes: split it", "{0} bytes como mucho: divídalo"),
];

impl Spanish for FleetError {
    fn spanish(&self) -> String {
        match self {
            Self::Name { what, bytes, most } => {
                let what = match *what {
                    "site" => "sitio",
                    "table" => "mesa",
                    _ => "escritor",
                };
                format!(
                    "el nombre ({what}) tiene {bytes} bytes, y caben como mucho {most}: elija uno más corto"
                )
            }
            Self::Setting { setting, value, range } => {
                format!("{setting} es {value}: el margen es {}", or_detail(range))
            }
            Self::Address { number, why } => {
                format!("la dirección del servidor {number} no sirve: {}", or_detail(why))
            }
            Self::File { path, why, .. } => format!("{}: {}", path.display(), or_detail(why)),
            Self::Unreachable { servers, why } => format!(
                "ningún servidor de {servers} deja entrar a este programa ({}); compruebe que ahí funciona nats-server, \
                 su certificado, y el usuario, la contraseña o el archivo de credenciales",
                or_detail(why)
            ),
            Self::Differs { stream, differences } => {
                let one = |of: &Difference| format!("{} es {} y no {}", of.field, of.found, of.asked);
                let listed: Vec<String> = differences.iter().map(one).collect();
                format!(
                    "el flujo {stream} no es como se pide: {}; pida lo que hay, o cambie el flujo con las herramientas de \
                     NATS",
                    listed.join(", ")
                )
            }
            Self::NotSetUp { site, stream } => format!(
                "el sitio {site:?} no tiene el flujo {stream} en estos servidores: prepárelo antes con audit fleet setup"
            ),
            Self::Partition { partition, partitions } => {
                format!("la partición {partition} no existe: el sitio tiene {partitions}, contadas desde 0")
            }
            Self::Server { what, why } => {
                format!("los servidores no llegaron a {}: {}", or_detail(what), or_detail(why))
            }
            Self::Fenced { partition } => {
                format!("se perdió el arriendo de la partición {partition}: la ha asumido otro escritor")
            }
            Self::NewerConsumer { consumer, epoch } => format!(
                "el consumidor {consumer} es de un mandato posterior al del arriendo, {epoch}: si el arriendo se borró a \
                 propósito, borre también este consumidor"
            ),
            Self::Random(why) => format!("el sistema no da bytes aleatorios: {}", or_detail(why)),
        }
    }
}
