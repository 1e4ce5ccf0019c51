//! The help of commands and options in Spanish. The English help stands where the options are declared.

/// The name of an argument's value in Spanish: `ARCHIVO` for `FILE`, `CLAVE|ARCHIVO` for `VKEY|FILE`,
/// `ARCHIVO.auditlog` for `FILE.auditlog`. Nothing if a part of it is not known here.
#[must_use]
pub fn value_in_spanish(name: &str) -> Option<String> {
    let part = |part: &str| {
        let (word, ending) = part.split_at(part.find('.').unwrap_or(part.len()));
        Some(format!("{}{ending}", value_word(word)?))
    };
    Some(name.split('|').map(part).collect::<Option<Vec<_>>>()?.join("|"))
}

fn value_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "ADDRESS" => "DIRECCIÓN",
        "ALGORITHM" => "ALGORITMO",
        "ARCHIVE" => "ARCHIVO",
        "BYTES" => "BYTES",
        "C" => "C",
        "CODE" => "CÓDIGO",
        "COMMAND" => "ORDEN",
        "COUP" => "JUGADA",
        "DAY" => "DÍA",
        "DECKS" => "BARAJAS",
        "DIGEST" => "HUELLA",
        "DIR" => "CARPETA",
        "EVENTS" => "SUCESOS",
        "FILE" => "ARCHIVO",
        "FILES" => "ARCHIVOS",
        "FORMAT" => "FORMATO",
        "ID" => "NOMBRE",
        "INDEX" => "ÍNDICE",
        "K" => "K",
        "KEY" | "VKEY" => "CLAVE",
        "FOLDER" => "CARPETA",
        "LANGUAGE" => "IDIOMA",
        "LEVEL" => "NIVEL",
        "LINE" => "LÍNEA",
        "LOG" => "REGISTRO",
        "MINUTES" => "MINUTOS",
        "K/N" => "K/N",
        "N" => "N",
        "NAME" => "NOMBRE",
        "NEW" => "NUEVO",
        "NOTE" => "NOTA",
        "NUMBER" => "NÚMERO",
        "OLD" => "ANTIGUO",
        "ONE" => "UNO",
        "OTHER" => "OTRO",
        "PERCENT" => "PORCENTAJE",
        "PROOF" => "PRUEBA",
        "REASON" => "MOTIVO",
        "ROLE" => "PAPEL",
        "RULEBOOK" => "REGLAMENTO",
        "S" => "S",
        "SECONDS" => "SEGUNDOS",
        "SEED" => "SEMILLA",
        "SEQUENCE" => "SECUENCIA",
        "SHELL" => "INTÉRPRETE",
        "SHOE" => "SABOT",
        "SHOES" => "SABOTS",
        "STATE" => "ESTADO",
        "TABLE" => "MESA",
        "TABLES" => "MESAS",
        "TEXT" => "TEXTO",
        "TIME" => "HORA",
        "URL" => "URL",
        "WHAT" => "QUÉ",
        "WHEN" => "CUÁNDO",
        // Words that are typed as they are.
        "coup" => "coup",
        "max" => "max",
        "shoe" => "shoe",
        _ => return None,
    })
}

/// What a command does, in Spanish. Its path is `verify log`, and empty for the program itself.
#[must_use]
pub fn command_in_spanish(path: &str) -> Option<&'static str> {
    Some(match path {
        "" => {
            "Sella lo que ocurrió en mesas de bacará y certifica que el reparto y los pagos siguieron las reglas.\n\n\
             Código de salida: 0 se cumple todo lo pedido; 1 hallazgos: se quebrantó una regla; 2 uso incorrecto; \
             3 el sello está roto, o el registro no continúa un punto de control dado; 4 formato ilegible o \
             desconocido; 5 no se halló nada malo, pero algo queda sin decidir o incompleto; 70 error interno; 74 \
             falló la máquina (disco lleno, archivo que no existe, conexión rechazada), lo que no dice nada del \
             registro; 75 otro proceso está escribiendo el registro, inténtelo más tarde. Si concurren varios, \
             se devuelve el peor; de mejor a peor: 0, 5, 1, 4, 74, 3, 2, 75, 70."
        }
        "demo" => {
            "Muestra en un minuto lo que hace este programa: sella un registro honesto y otro fraudulento, encuentra el pago de menos, detecta un byte cambiado y prueba una jugada"
        }
        "init" => {
            "Crea un registro nuevo y vacío, con su clave\n\nNinguna otra orden crea un registro, salvo que se pida con `--create`: una carpeta vacía puede ser donde falta montar un disco."
        }
        "ingest" => {
            "Sella sucesos (un objeto JSON por línea) en un registro\n\nEl mismo archivo dos veces no añade nada. Si muchos sucesos seguidos llevan números bajo los que el registro ya contiene otros, el archivo será de otro registro: la orden se detiene antes de sellarlos, salvo con `--record-conflicts`. Si registró conflictos, el código de salida es 1."
        }
        "check" => {
            "Comprueba un archivo de sucesos sin sellar nada\n\nCódigo de salida: 0; 1 si hay conflictos; 4 si hay líneas mal formadas; 5 si no se pudo comparar todo."
        }
        "verify" => {
            "Verifica un registro, los registros de una casa, una prueba o un punto de control; audit verify REGISTRO es \
             audit verify log"
        }
        "verify log" => {
            "Muestra los cuatro veredictos, los hallazgos y el certificado de un registro\n\n\
             No cambia nada de lo que lee. De un archivo de sucesos sin sello juzga los sucesos y no prueba nada. Un informe \
             enumera los 10.000 primeros hallazgos, y de cada código los 200 primeros y los 100 que movieron más dinero; los \
             cuenta todos, con su dinero. Con `--as`, el código de salida es 1 si algo cambiaría."
        }
        "verify fleet" => {
            "Verifica juntos los registros de una casa: cuál continúa cuál, y el juego a través de ellos"
        }
        "verify proof" => "Comprueba pruebas de que unas entradas están en un registro",
        "verify checkpoint" => "Comprueba que un punto de control de un registro continúa otro",
        "show" => "Muestra jugadas, sabots, mesas o casillas de comisión de un registro",
        "show coup" => "Muestra una jugada completa",
        "show shoe" => "Enumera las jugadas de un sabot, una por línea",
        "show table" => "Enumera los sabots de una mesa, uno por línea",
        "show commission" => {
            "Muestra las casillas de comisión: anotada, cobrada y pendiente, por sabot y departamento"
        }
        "explain" => {
            "Explica un código de hallazgo o un motivo: qué significa, qué cláusula, cómo se juzga y qué hacer"
        }
        "report" => {
            "Escribe un informe de todo un registro: un solo archivo para leer, imprimir o enviar, y lo mismo como JSON, CSV y SARIF\n\nContiene los veredictos, lo que está probado y lo que nadie puede ver, los importes adeudados, los hallazgos con sus cláusulas, mesas, sabots, casillas de comisión y estadísticas."
        }
        "sample" => {
            "Extrae una muestra de las jugadas de un registro para una inspección manual; cualquiera puede repetirla\n\nLa lista es para marcar. El mismo registro, la misma semilla y el mismo número dan la misma muestra en cualquier máquina."
        }
        "export" => {
            "Escribe un registro como un solo archivo completo, o su árbol como una carpeta de piezas\n\nEl archivo se verifica sin conexión. De una mesa, un sabot o una jugada es un extracto, con pruebas en lugar de todas las demás entradas. El árbol en piezas C2SP es para testigos, réplicas y vigilantes."
        }
        "prove" => "Prueba una entrada, una jugada o un punto de control ante quien no tiene el registro",
        "prove coup" => "Prueba que las entradas de una jugada están en el registro",
        "prove entry" => "Prueba que una entrada está en el registro",
        "prove checkpoint" => "Prueba que el último punto de control del registro continúa uno más antiguo",
        "serve" => {
            "Pone en marcha el servicio HTTP: recibe sucesos, responde cuando son duraderos y sirve el registro\n\nCada recibo lleva su prueba, y todo se puede leer y verificar desde fuera. Las páginas de `audit desk` están en `/desk/`."
        }
        "desk" => {
            "Muestra un registro como páginas en un navegador de este equipo: mesas, sabots, jugadas carta a carta, hallazgos, reglamentos"
        }
        "health" => "Pregunta a un servicio en marcha si registra, y qué necesitará a un operador",
        "watch" => {
            "Sigue un servicio en marcha: cada hallazgo en cuanto aparece, lo que se retira, cómo crece el registro\n\n\
             Código de salida: 0 no se mostró ningún hallazgo que siga en pie; 1 se quebrantó una regla; 5 solo se mostró \
             algo incompleto, o la certificación en vivo se ha detenido; 3 el servicio mostró dos historias del registro; \
             4 no responde como un registro servido; 74 no hay respuesta."
        }
        "quiz" => "Juzgue jugadas simuladas, algunas con un defecto, y aprenda del juez qué estaba mal",
        "version" => {
            "Dice qué programa es este y con qué juzga: versión, commit, reglamentos, formatos, códigos"
        }
        "tokens" => "Gestiona las credenciales que permiten enviar a un servicio y leer de él",
        "fleet" => {
            "Prepara, muestra y alimenta una flota: un sitio cuyas mesas se reparten entre varios escritores, tras NATS JetStream"
        }
        "fleet setup" => {
            "Crea los flujos de un sitio en los servidores, o comprueba que son como se pide; lo que hay nunca se cambia"
        }
        "fleet show" => {
            "Muestra un sitio: quién escribe cada partición, qué espera, cuánto está sellado, si los servidores siguen el ritmo"
        }
        "fleet send" => {
            "Envía sucesos (un objeto JSON por línea) a un sitio, y espera a que cada uno esté sellado"
        }
        "tokens new" => "Crea una credencial y la muestra, solo esta vez; el archivo se crea si no existe",
        "tokens list" => "Enumera las credenciales",
        "tokens revoke" => {
            "Revoca una credencial para siempre; un servicio en marcha la rechaza en un segundo"
        }
        "backup" => {
            "Copia un registro, también mientras su servicio funciona; la copia solo recibe su nombre una vez verificada"
        }
        "restore" => "Restaura la carpeta de un registro a partir de un archivo suyo",
        "load" => "Carga un servicio con mesas simuladas y comprueba cada recibo con su registro",
        "keys" => "Crea, muestra y sustituye las claves que firman registros",
        "keys new" => {
            "Crea un par de claves: ARCHIVO, que solo su propietario puede leer, y ARCHIVO.pub para entregar. Si ARCHIVO se \
             llama `key`, un registro que se cree en la misma carpeta se firma con ella"
        }
        "keys show" => {
            "Muestra la mitad pública de una clave, o la clave actual y las anteriores de un registro"
        }
        "keys rotate" => {
            "Sustituye la clave de un registro por otra; el registro anota un aviso que firman las dos"
        }
        "redact" => {
            "Borra el contenido de entradas; el registro conserva un aviso del borrado, y todo lo demás sigue probado\n\nEs para lo que una ley obliga a borrar. El aviso conserva los hallazgos que había en ese contenido. Lo que otras jugadas necesitan, como el reglamento de una mesa, solo se borra con `--also-rules`."
        }
        "witness" => "Firma los puntos de control de registros de otros, o presenta el propio a testigos",
        "witness new" => "Crea un testigo: una carpeta con su clave",
        "witness serve" => {
            "Pone en marcha un testigo por HTTP (C2SP tlog-witness) hasta que se detiene; nunca firma dos historias \
             de un registro"
        }
        "witness submit" => {
            "Presenta el último punto de control de un registro a testigos y guarda sus firmas"
        }
        "witness recover" => {
            "Recupera el estado de un testigo tras una pérdida, de la lista de lo que firmó y de puntos de control \
             que otros guardaron"
        }
        "simulate" => "Simula mesas y escribe sus sucesos",
        "import" => "Convierte en sucesos registros escritos a mano",
        "import coups-csv" => {
            "Convierte en sucesos jugadas escritas a mano, una en cada fila de un archivo CSV"
        }
        "schema" => "Muestra el esquema JSON de un suceso, o de lo que una orden imprime con --json",
        "rules" => "Enumera, muestra, comprueba y compara reglamentos",
        "rules list" => "Enumera los reglamentos incluidos",
        "rules show" => {
            "Muestra un reglamento: parámetros con sus fuentes, cuadro de tiradas, tablas de pagos"
        }
        "rules check" => {
            "Informa de todo lo que falta, es inseguro o injusto en un reglamento, y de lo que cuestan sus apuestas"
        }
        "rules diff" => "Describe en palabras en qué difieren dos reglamentos",
        "rules new" => {
            "Empieza un reglamento: escribe un archivo que amplía otro, con cada parámetro como comentario, su valor \
             actual y su fuente"
        }
        "rules schema" => {
            "Imprime el esquema JSON de los archivos de reglamento, para editores que completan y comprueban TOML"
        }
        "rules print" => "Escribe un reglamento como una página para imprimir, HTML o Markdown",
        "release" => {
            "Firma los archivos de una versión, o los verifica, con notas firmadas como las de los registros"
        }
        "release sign" => "Firma una lista de las sumas SHA-256 de unos archivos, como nota firmada (C2SP)",
        "release verify" => "Verifica una lista firmada y los archivos que nombra",
        "man" => "Escribe las páginas de manual, una por orden",
        "completions" => "Imprime el autocompletado para un intérprete de órdenes",
        "help" => "Muestra esta ayuda o la de las órdenes que se nombren",
        _ => return None,
    })
}

/// What an option of a command is, in Spanish. Options that mean the same everywhere have one text.
#[must_use]
pub fn option_in_spanish(path: &str, id: &str) -> Option<&'static str> {
    of_command(path, id).or_else(|| of_any(id))
}

/// What stands below the options of a command, in Spanish.
#[must_use]
pub fn after_help_in_spanish(path: &str) -> Option<&'static str> {
    (path == "import coups-csv").then_some(COLUMNS)
}

const COLUMNS: &str = "\
La primera línea del archivo nombra las columnas, en cualquier orden. Las separan comas o puntos y comas:

  p1, p2        primera y segunda carta del punto
  p3            tercera carta del punto; vacía si el punto se plantó
  b1, b2        primera y segunda carta de la banca
  b3            tercera carta de la banca; vacía si la banca se plantó
  p4, b4        una cuarta carta: ninguna regla la permite, pero se registra si se dio
  winner        punto, banca o empate (también tie, player, banker; p, b, e, t)
  punto_total   total del punto, como se anunció
  banca_total   total de la banca, como se anunció
  shoe          nombre del sabot; sin ella, cada jugada se registra en un sabot propio
  coup          número de la jugada en el sabot; sin ella, las jugadas se cuentan

p1, p2, b1 y b2 son obligatorias. El ganador y los totales que faltan se calculan de las cartas. Una carta
es un valor, A 2 3 4 5 6 7 8 9 10 (o T) J Q K, y un palo, C (trébol) D (diamante) H (corazón) S (pica),
que se puede omitir: 7H, 10D, K.

  shoe,coup,p1,p2,p3,b1,b2,b3,winner
  S-1,1,7H,KD,,3C,2S,6D,punto

O se convierten todas las filas o no se escribe nada.";

fn of_any(id: &str) -> Option<&'static str> {
    Some(match id {
        "help" => "Muestra la ayuda",
        "version" => "Muestra la versión",
        "json" => "Imprime JSON",
        "lang" => {
            "Idioma de lo que se imprime para personas: en o es [por omisión: AUDIT_LANG, si no el del sistema]. El \
             JSON no depende de él"
        }
        "color" => {
            "Color: auto (solo en un terminal y si NO_COLOR no está puesta), always (siempre) o never (nunca)"
        }
        "log" => {
            "La carpeta de un registro (no se escribe en ella: se lee una copia privada), un archivo, o la URL de un \
             registro servido"
        }
        "token_file" => {
            "Archivo con la credencial de acceso a un registro servido [por omisión: la variable AUDIT_TOKEN]"
        }
        "ca" => {
            "Acepta el certificado de un registro servido solo si lo emitió una de estas autoridades (PEM)"
        }
        "client_cert" => "Certificado de cliente (PEM) que se presenta a un registro servido",
        "client_key" => "Clave privada del certificado de cliente (PEM)",
        "plain_http_beyond_this_machine" => {
            "Envía la credencial también por http:// a otra máquina, donde cualquiera en el camino puede leerlo"
        }
        "table" => "La mesa",
        "shoe" => "El sabot; se puede omitir si solo un sabot tiene una jugada con este número",
        "event" => {
            "Un suceso de la jugada, por su número en la mesa: de varias jugadas con este número, la suya"
        }
        "coup" => "El número de la jugada dentro del sabot",
        "force" => "Sustituye el archivo si existe",
        "key" => {
            "La clave que debe haber firmado el registro: una clave de verificación, o un archivo que la contiene"
        }
        "origin" => {
            "El nombre del registro, que se fija al crearlo [por omisión: audit.invalid/ y el nombre de la carpeta]"
        }
        "rulebook" => "El nombre de un reglamento incluido, o un archivo de reglamento",
        "witness_policy" => {
            "Pide un quórum de estos testigos (C2SP tlog-policy): si firmaron demasiado pocos, queda abierto a quién \
             más se mostró este registro (código de salida 5)"
        }
        "seed" => "Semilla de la simulación; la misma semilla da los mismos sucesos",
        "tokens" => "El archivo de credenciales",
        "create" => {
            "Crea el registro si no lo hay. No lo use en un guion que se repite: donde no esté montado el disco del \
             registro, empezaría un segundo registro"
        }
        _ => return None,
    })
}

#[allow(clippy::too_many_lines, reason = "one row per option")]
fn of_command(path: &str, id: &str) -> Option<&'static str> {
    Some(match (path, id) {
        ("demo", "folder") => "La carpeta que se crea; no debe existir todavía",
        ("init", "log") => {
            "La carpeta del registro: aún no existe, o está vacía; queda solo para su propietario (modo 0700)"
        }
        ("ingest" | "check", "file") => {
            "Archivo de sucesos, un objeto JSON por línea; `-` es la entrada estándar"
        }
        ("ingest" | "serve", "log") => "La carpeta del registro",
        ("ingest", "producer") => "El productor: quién entrega los sucesos",
        ("ingest", "from_line") => "Empieza en esta línea del archivo; la primera es la 1",
        ("ingest", "live") => "Sella cada suceso como una entrada propia, en cuanto llega",
        ("ingest", "receipts") => {
            "Por cada entrada acusada añade una línea a este archivo: índice, huella, mesa, primer suceso, número de \
             sucesos"
        }
        ("ingest", "proofs") => {
            "Escribe en esta carpeta una prueba de cada entrada acusada, como ÍNDICE.tlog-proof; se comprueba solo con \
             la clave del registro"
        }
        ("ingest", "witness_policy") => {
            "Antes de sellar nada pide firmas a los testigos de esta política; no se sella nada si uno de ellos ha \
             visto un estado más nuevo de este registro"
        }
        ("check", "limit") => {
            "Enumera como mucho este número de líneas mal formadas, y otros tantos choques; se cuentan todos"
        }
        ("ingest", "record_conflicts") => {
            "Registra los sucesos aunque dieciséis, sin ninguno nuevo entre ellos, tengan números bajo los que el registro \
             ya contiene otros; sin esto la orden se detiene ahí y no sella ninguno de los dieciséis"
        }
        ("check", "against" | "log") => {
            "El registro con el que se compara: qué se sellaría, qué se repite, qué choca"
        }

        ("verify log", "log") => {
            "La carpeta de un registro (no se escribe en ella: se lee una copia privada), un archivo, la URL de un \
             registro servido, `-` para un archivo por la entrada estándar, o un archivo de sucesos sin sello (.ndjson): \
             se juzga, pero nada queda probado"
        }
        ("verify log" | "report" | "sample" | "desk", "checkpoint") => {
            "Un punto de control de este registro guardado en otro lugar; se puede dar varias veces"
        }
        ("verify log", "keep_checkpoint") => {
            "Si el registro está íntegro y continúa lo que se ha dado, guarda su último punto de control en este archivo, \
             para la próxima visita. Un \
             archivo con un punto de control más nuevo o de otro registro no se sustituye"
        }
        ("verify log" | "report" | "sample" | "desk", "witness_policy") => {
            "Solo da por probado que el registro continúa lo anterior si un quórum de estos testigos firmó un punto de control que el registro \
             continúa: el suyo, el firmado que se guarda a su lado, o uno dado con --checkpoint"
        }
        ("verify log" | "report" | "sample" | "desk", "approved") => {
            "Acepta solo reglamentos con esta huella, o con una huella de este archivo; se puede dar varias veces"
        }
        ("verify log", "other") => {
            "Juzga el registro también con otro reglamento y dice qué cambiaría: el nombre de uno incluido, o un archivo"
        }
        ("verify log", "all") => {
            "Muestra todos los hallazgos, no solo los veinte primeros, en el orden del registro. Se guardan en un archivo \
             temporal, no en memoria. Con --json, `findings` los contiene todos"
        }
        ("verify log", "json") => "Imprime todo el informe como JSON",
        ("verify fleet", "logs") => {
            "Los registros: cada uno, su carpeta (no se escribe en ella: se lee una copia privada), un archivo, o la URL \
             de un registro servido"
        }
        ("verify fleet", "checkpoint") => {
            "Un punto de control de uno de los registros guardado en otro lugar; se puede dar varias veces"
        }
        ("verify fleet", "key") => {
            "La clave que debe haber firmado el registro de su nombre: una clave de verificación, o un archivo que la \
             contiene; se puede dar varias veces"
        }
        ("verify fleet", "approved") => {
            "Acepta solo reglamentos con esta huella, o con una huella de este archivo; se puede dar varias veces"
        }
        ("verify fleet", "all") => {
            "Muestra todos los hallazgos, contradicciones y cuestiones abiertas del informe, no solo los veinte primeros"
        }
        ("verify fleet", "json") => "Imprime todo el informe como JSON",
        ("verify proof", "proof") => "Pruebas de entradas, como tlog-proof o recibos COSE",
        ("verify proof", "key") => {
            "La clave del registro: una clave de verificación, o un archivo que la contiene"
        }
        ("verify proof", "entry") => {
            "Archivo con los bytes de la entrada, si la prueba no los contiene [por omisión para un recibo COSE: su \
             ARCHIVO.entry, si existe]"
        }
        ("verify proof", "digest") => "La huella de la entrada, si solo se conoce la huella",
        ("verify proof", "events") => "Imprime los sucesos de la entrada, un objeto JSON por línea",
        ("verify checkpoint" | "prove checkpoint", "old") => "El punto de control más antiguo",
        ("verify checkpoint", "new") => "El punto de control más nuevo",
        ("verify checkpoint", "log") => {
            "El registro que contiene las entradas entre los dos: su carpeta, un archivo, o la URL de un registro servido"
        }
        ("verify checkpoint", "proof") => {
            "Una prueba escrita por `audit prove checkpoint`, en lugar del registro"
        }
        ("verify checkpoint", "key") => {
            "La clave que debe haber firmado los dos: una clave de verificación, o un archivo que la contiene [por \
             omisión: la clave guardada en el registro]"
        }

        ("show commission" | "show table", "table") => "La mesa [por omisión: todas las del registro]",
        ("show commission", "shoe") => "El sabot [por omisión: todos]",
        ("show shoe", "shoe") => "El sabot [por omisión: todos los de la mesa]",
        ("show shoe", "roads") => {
            "Dibuja en su lugar el marcador de cada sabot: bead plate, camino grande, big eye boy, camino pequeño, camino \
             cucaracha, derivado de las cartas repartidas"
        }
        ("report", "out") => {
            "Escribe aquí el informe: .html es un solo archivo para leer, imprimir o enviar; .json y .sarif son para \
             programas. Se puede dar varias veces"
        }
        ("report", "csv") => {
            "Escribe todos los hallazgos, y las tablas del informe, como archivos CSV en esta carpeta nueva"
        }
        ("report", "force") => "Sustituye los archivos que ya existen",
        ("report", "json") => "Imprime los veredictos y los nombres de los archivos como JSON",
        ("sample", "seed") => {
            "Semilla de la muestra, un número entero: elegida cuando el punto de control del registro ya está guardado, \
             para que quien escribe el registro no pueda saber qué jugadas se extraerán"
        }
        ("sample", "coups") => "Cuántas jugadas se extraen",
        ("quiz", "rulebook") => {
            "El nombre de un reglamento incluido, o un archivo de reglamento, de punto y banca"
        }
        ("quiz", "coups") => "Número de jugadas que se juzgan",
        ("quiz", "seed") => "Semilla del ejercicio; la misma semilla da las mismas jugadas",
        ("quiz", "json") => "Imprime como JSON todas las preguntas con sus respuestas, y no pregunta nada",
        ("watch", "url") => "La dirección del servicio, como la imprime audit serve",
        ("watch", "since") => "Muestra solo los hallazgos posteriores al que tiene este número",
        ("watch", "until_caught_up") => {
            "Termina cuando todo lo que el servicio ha registrado está juzgado y mostrado"
        }
        ("watch", "patience") => {
            "Desiste cuando no haya habido respuesta durante este tiempo; sin esto vuelve a preguntar mientras esté en \
             marcha. La primera respuesta tiene que llegar de inmediato"
        }
        ("watch", "json") => "Imprime JSON, un objeto por línea",
        ("explain", "what") => "Un código de hallazgo o un motivo; sin él se enumeran todos",

        ("export", "out") => "El archivo que se escribe",
        ("export", "tiles") => {
            "Escribe punto de control, piezas del árbol y huellas de entradas como una carpeta que leen testigos, \
             espejos y monitores (C2SP tlog-tiles); una carpeta ya escrita se actualiza"
        }
        ("export", "table") => {
            "Escribe un extracto: solo las entradas de esta mesa, con pruebas en lugar de todas las demás"
        }
        ("export", "shoe") => "Solo este sabot de la mesa",
        ("export", "coup") => "Solo esta jugada del sabot, y lo necesario para juzgarla",
        ("export", "withhold") => {
            "Retiene el contenido de la entrada con este índice del registro; se puede dar varias veces"
        }

        ("prove coup" | "prove entry", "out") => {
            "La prueba que se escribe; si hay varias, cada nombre lleva el índice de la entrada antes de la extensión"
        }
        ("prove coup" | "prove entry", "format") => {
            "tlog-proof (C2SP, un texto), o cose (un recibo COSE, RFC 9942, firmado con la clave del registro; los bytes \
             de la entrada van a ARCHIVO.entry)"
        }
        ("prove coup" | "prove entry", "without_entry") => {
            "Omite los bytes de la entrada: la prueba no revela entonces qué contiene"
        }
        ("prove coup" | "prove entry", "force") => "Sustituye los archivos que existan",
        ("prove entry", "index") => "El índice de la entrada en el registro, desde 0",
        ("prove entry", "digest") => "La huella de la entrada, como la nombra un recibo",
        ("prove entry", "table") => "La mesa del suceso que nombra --sequence",
        ("prove entry", "sequence") => {
            "El número de un suceso que la entrada contiene; se prueban varias entradas donde se registraron sucesos \
             contradictorios"
        }
        ("prove checkpoint", "out") => {
            "La prueba que se escribe, en la forma que leen los testigos (C2SP tlog-witness)"
        }

        ("serve", "config") => {
            "Un archivo TOML con los ajustes que no se dan como argumentos ni en el entorno (AUDIT_SERVE_MAX_BODY por \
             --max-body, y así los demás); sus claves son los nombres largos de estos argumentos"
        }
        ("serve", "print_config") => "Imprime cada ajuste y de dónde viene, y termina",
        ("serve", "listen") => "Dirección y puerto en que escucha; el puerto 0 elige uno libre",
        ("serve", "producer") => "El productor que se registra donde ninguna credencial nombra uno",
        ("serve", "witness_policy") => {
            "Antes de sellar nada pide firmas a los testigos de esta política; el registro no se sirve si uno de ellos ha \
             visto un estado más nuevo. Mientras crece se les vuelve a preguntar, y se sirve el último punto de control \
             que firmaron bastantes"
        }
        ("serve", "witness_interval") => {
            "Segundos entre dos presentaciones de un registro que crece a sus testigos (1 a 86400)"
        }
        ("serve", "max_body") => "Longitud máxima del cuerpo de un envío, en bytes (4 KiB a 64 MiB)",
        ("serve", "max_posts") => {
            "Envíos que se procesan a la vez (1 a 4096); a los demás se responde con el estado 429"
        }
        ("serve", "max_connections") => {
            "Conexiones abiertas a la vez (1 a 100000), también las inactivas; por una más se cierra la que lleva más \
             tiempo inactiva. El límite de archivos abiertos del sistema se sube cuanto se puede, y también limita este \
             número"
        }
        ("serve", "webhook") => {
            "Envía cada hallazgo, firmado, a esta URL y lo repite hasta que se acepta (Standard Webhooks)"
        }
        ("serve", "webhook_secret") => {
            "El secreto que firma el webhook: un archivo que solo su propietario puede leer, `whsec_` y al menos 24 bytes \
             en base64"
        }
        ("serve", "otlp_endpoint") => {
            "Envía un tramo de cada petición al recolector OpenTelemetry de esta dirección, por OTLP sobre HTTP (la \
             variable OTEL_EXPORTER_OTLP_ENDPOINT ajusta lo mismo)"
        }
        ("serve", "log_format") => {
            "Formato de las líneas de traza del propio servicio, en la salida de errores"
        }
        ("serve", "log_level") => "Nivel más bajo de las líneas de traza que se escriben",
        ("serve", "tokens") => {
            "Exige una credencial de este archivo (hecha por audit tokens new). Sin credenciales, quien pueda conectarse \
             puede hacerlo todo, así que el servicio escucha solo en esta máquina"
        }
        ("serve", "session_minutes") => {
            "Minutos tras los que quien ha entrado en las páginas tiene que volver a entrar, de 1 a 720"
        }
        ("serve", "host") => {
            "Un nombre con el que los clientes llegan a este servicio; se puede dar varias veces. Sin credenciales \
             el servicio responde solo a estos nombres, a `localhost` y a direcciones IP; con ellos, a cualquier nombre \
             si no se da ninguno"
        }
        ("serve", "tls_cert") => {
            "Sirve por TLS con este certificado, seguido de los que llevan a su autoridad (PEM)"
        }
        ("serve", "tls_key") => {
            "La clave privada del certificado (PEM); solo su propietario puede poder leer el archivo"
        }
        ("serve", "client_ca") => "Acepta solo clientes con un certificado de estas autoridades (PEM)",
        ("serve", "https_in_front") => {
            "La gente llega a este servicio por HTTPS, que termina en un proxy delante de él: los navegadores envían \
             entonces la cookie de la sesión solo por HTTPS"
        }
        ("serve", "plain_http_beyond_this_machine") => {
            "Escucha más allá de esta máquina sin TLS; cualquiera en el camino puede leer entonces testigos y sucesos"
        }

        ("desk", "listen") => {
            "La dirección en la que escucha, solo de este equipo; el puerto 0 toma uno libre"
        }
        ("desk", "json") => "Imprime la dirección como JSON y no abre ningún navegador",
        ("desk", "no_browser") => "Imprime la dirección y no abre ningún navegador",

        ("health", "url") => "La dirección del servicio, como la imprime audit serve",
        ("health", "config") => {
            "Pregunta al servicio que funciona en esta máquina con estos ajustes: el archivo de audit serve --config. Las \
             variables AUDIT_SERVE_* cuentan como para el servicio"
        }
        ("health", "ready") => {
            "Pregunta solo si se registran sucesos: para repartidores de carga y comprobaciones de contenedores"
        }

        ("fleet setup" | "fleet show" | "fleet send", "server") => {
            "Un servidor de la flota, como nats://MÁQUINA:4222 o tls://MÁQUINA:4222; puede darse varias veces"
        }
        ("fleet setup" | "fleet show" | "fleet send" | "serve", "site") => {
            "El nombre del sitio, como lo dan los productores y escritores de una casa"
        }
        ("fleet setup", "partitions") => {
            "Número de particiones, cada una con su escritor y su registro (1 a 256); no se puede cambiar después"
        }
        ("fleet setup", "replicas") => "En cuántos servidores se guarda todo: 1, 3 o 5",
        ("fleet setup", "max_message") => {
            "Mensaje más largo, en bytes (1 KiB a 8 MiB); el límite propio de los servidores (max_payload) no debe ser menor"
        }
        ("fleet setup", "max_waiting") => {
            "Cuántos bytes pueden esperar como mucho a ser sellados; más allá, los productores guardan lo suyo"
        }
        ("fleet show", "watch") => {
            "Cuánto mirar, en segundos (1 a 600): lo que entretanto no se renueva ni se sella necesita a alguien"
        }
        ("fleet send", "file") => {
            "Archivo de sucesos, un objeto JSON por línea; `-` para la entrada estándar"
        }
        ("fleet send", "batch") => {
            "Cuántos sucesos lleva un mensaje como mucho (1 a 16384); un mensaje lleva sucesos de una sola mesa"
        }
        ("fleet send", "patience") => "Cuánto esperar los acuses tras el final del archivo, en segundos",
        ("serve", "from") => {
            "Toma los sucesos del flujo de estos servidores (nats://MÁQUINA:4222, tls://MÁQUINA:4222; puede darse varias \
             veces) y no de envíos. --log es entonces una carpeta de registros: cada vez que este programa asume su \
             partición de manos de otro, crea en ella un registro que continúa el del otro"
        }
        ("serve", "partition") => {
            "Qué partición de cuántas: 3/16 es la tercera de dieciséis. De varios programas con la misma partición uno \
             escribe, y los demás esperan para asumirla"
        }
        ("serve", "holder") => {
            "Cómo se llama este escritor en el arriendo [por omisión: el nombre del equipo]"
        }
        ("serve", "lease_seconds") => {
            "Segundos sin señales del escritor de una partición tras los que otro la asume (1 a 600)"
        }
        (_, "nats_credentials") => "Un archivo de credenciales de NATS: un JWT y la semilla de su clave",
        (_, "nats_user") => "El usuario con el que se entra",
        (_, "nats_password") => "Archivo con la contraseña del usuario",
        (_, "nats_token") => "Archivo con el testigo con el que se entra",
        (_, "nats_ca") => {
            "Exige TLS, y acepta los certificados de los servidores solo si los emitió una de estas autoridades (PEM)"
        }
        (_, "nats_cert") => "Certificado de cliente (PEM) que se presenta a los servidores",
        (_, "nats_key") => "Clave privada del certificado de cliente (PEM)",
        ("tokens new", "role") => "Lo que puede hacer quien lleva la credencial",
        ("tokens new", "producer") => "El productor: quién entrega sucesos con este testigo",
        ("tokens new", "tables") => {
            "Una mesa cuyos sucesos se pueden enviar con este testigo; se puede dar varias veces"
        }
        ("tokens new", "all_tables") => "Con este testigo se pueden enviar sucesos de todas las mesas",
        ("tokens new", "expires") => {
            "Cuándo caduca el testigo: 2027-01-31 (al empezar ese día, UTC) o 2027-01-31T12:00:00Z"
        }
        ("tokens new", "note") => "Una nota para personas: de quién es el testigo, dónde se guarda",
        ("tokens revoke", "id") => "El identificador del testigo, las cifras detrás de `audit_`",

        ("backup", "out") => {
            "El archivo que se escribe; solo recibe este nombre cuando está completo, en disco, releído y verificado"
        }
        ("backup", "into") => {
            "Escribe el archivo en esta carpeta de copias, con su número de entradas por nombre. Debe contener sin cambios \
             todo lo de la copia más nueva de la carpeta; no se borra ninguna"
        }
        ("backup", "since") => {
            "La copia anterior, o su punto de control; la nueva debe contenerla entera y sin cambios"
        }
        ("backup", "keep_head") => {
            "Escribe también el punto de control de la copia en este archivo; guárdelo en otro lugar"
        }
        ("restore", "archive") => {
            "Un archivo de todo el registro: una copia, o una exportación que no retiene nada"
        }
        ("restore", "log") => "La carpeta que se crea; no debe existir",
        ("restore", "key") => {
            "La clave de firma del registro: el archivo `key` de su carpeta, que ningún archivo contiene"
        }
        ("restore", "checkpoint") => {
            "Un punto de control del registro guardado en otro lugar, a ser posible más nuevo que la copia; se rehúsa \
             restaurar si el archivo no llega hasta ahí. Se puede dar varias veces"
        }

        ("load", "url") => "El servicio: http://HOST:PORT o https://HOST",
        ("load", "key") => {
            "La clave que debe haber firmado el registro: una clave de verificación, o un archivo que la contiene [por \
             omisión: la que dice el servicio]"
        }
        ("load", "tables") => "Número de mesas que juegan a la vez [por omisión: tantas como conexiones]",
        ("load", "connections") => "Número de conexiones, cada una con mesas propias",
        ("load", "batch") => "Sucesos por envío: un número, `coup` o `shoe`",
        ("load", "rate") => {
            "Sucesos por segundo de todas las mesas juntas; `max` envía en cuanto llega la respuesta anterior"
        }
        ("load", "seconds") => "Cuánto tiempo se envía, en segundos",
        ("load", "disconnect") => {
            "Porcentaje de envíos que pierden la conexión antes de la respuesta y se repiten"
        }
        ("load", "shoes") => {
            "Sabots por sesión: una mesa los juega y cierra, y vuelve a abrir para la sesión siguiente"
        }
        ("load", "rulebook") => "El reglamento con que se juega: el nombre de uno incluido o un archivo",
        ("load", "patience") => "Cuánto tiempo se repite un envío sin respuesta, en segundos",

        ("keys new", "file") => "El archivo que se escribe",
        ("keys new", "origin") => "El nombre del registro para el que es",
        ("keys new" | "witness new", "algorithm") => "Cómo firma: ed25519 o ml-dsa-44",
        ("keys show", "what") => {
            "Un archivo de clave, la carpeta de un registro, un archivo, o la URL de un registro servido"
        }
        ("keys rotate" | "redact", "log") => "La carpeta del registro",
        ("keys rotate", "algorithm") => "Cómo firma la clave nueva; como la antigua si se omite",

        ("redact", "entry") => {
            "Índice en el registro de una entrada que se borra (lo muestra audit show coup); se puede dar varias veces"
        }
        ("redact", "reason") => "El motivo del borrado; queda en el registro",
        ("redact", "by") => "La persona que ordena el borrado; queda en el registro",
        ("redact", "countersigned_by") => {
            "Una segunda persona que responde del borrado; queda en el registro"
        }
        ("redact", "also_rules") => {
            "Borra una entrada aunque sin ella no se puedan juzgar jugadas de otras, porque contiene el reglamento de la \
             mesa, sus límites o un sabot"
        }
        ("redact", "finish") => "Termina un borrado interrumpido: borra lo que el registro ya ha avisado",

        ("witness new" | "witness recover", "state") => {
            "La carpeta del testigo; se crea con witness new, y debe estar detenido para witness recover"
        }
        ("witness serve", "config") => {
            "Un archivo TOML con los ajustes que no se dan como argumentos; sus claves son los nombres largos de estos \
             argumentos"
        }
        ("witness serve", "state") => "La carpeta del testigo: su clave y lo que firmó",
        ("witness new", "name") => {
            "El nombre del testigo: por costumbre una URL sin su esquema, como `regulator.example/w1`"
        }
        (_, "signed") => {
            "La lista de lo que el testigo firma, mejor en otro disco [por omisión: el nombre de la carpeta con `.signed` \
             detrás]"
        }
        ("witness serve", "listen") => "Dirección y puerto en que escucha; el puerto 0 elige uno libre",
        ("witness serve", "max_connections") => {
            "Conexiones abiertas a la vez (de 1 a 100000). Mientras todas estén en uso, las nuevas reciben el estado \
             503; por ellas se cierra una sin petición, nunca una cuya petición está en curso. El límite del sistema para \
             archivos abiertos se sube cuanto se puede, y también limita este número"
        }
        ("witness serve", "logs") => {
            "La clave de un registro que se vigila: una clave de verificación, o un archivo que la contiene; se puede dar \
             varias veces"
        }
        ("witness serve", "name") => {
            "El nombre del testigo, que solo hace falta una vez: su clave se crea si no existe"
        }
        ("witness serve", "json") => "Imprime un objeto JSON por línea",
        ("witness submit", "log") => {
            "La carpeta del registro; solo se escribe su archivo `checkpoint.cosigned`"
        }
        ("witness submit", "policy") => {
            "Archivo de política: los testigos, sus URL y cuántos deben firmar (C2SP tlog-policy)"
        }
        ("witness recover", "checkpoints") => {
            "Un punto de control con la firma de este testigo (el `checkpoint.cosigned` de un registro); se puede dar \
             varias veces, y cuenta donde es más nuevo que la lista"
        }
        ("witness recover", "nothing_signed") => {
            "Este testigo nunca firmó nada: crea una lista vacía donde no la hay"
        }

        ("simulate", "tables") => "Número de mesas",
        ("simulate", "shoes") => "Número de sabots en cada mesa",
        ("simulate", "fault") => "Introduce una falta del catálogo",
        ("simulate" | "import coups-csv", "out") => "Escribe en este archivo y no en la salida estándar",
        ("simulate", "list_faults") => "Enumera las faltas que se pueden introducir",
        ("simulate", "json") => "Imprime la lista, o dónde se introdujo la falta, como JSON",
        ("schema", "name") => "El esquema, como event o verify-log; sin él, se enumeran los esquemas",
        ("schema", "json") => "Imprime la lista como JSON; un esquema siempre es JSON",
        ("import coups-csv", "file") => "La lista; `-` es la entrada estándar",
        ("import coups-csv", "table") => "El identificador de la mesa",
        ("import coups-csv", "decks") => {
            "Barajas de un sabot [por omisión: las más que permite el reglamento]"
        }
        ("import coups-csv", "start") => {
            "Hora del primer suceso; cada uno va un segundo detrás del anterior [por omisión: el primer día en que el \
             reglamento está en vigor]"
        }
        ("rules show", "json") => "Imprime el JSON canónico",
        ("rules show", "toml") => "Imprime el archivo tal como está",
        ("rules check", "rulebook") => {
            "El nombre de un reglamento incluido, o un archivo de reglamento, que puede ser un borrador con `?`"
        }
        ("rules diff", "one") => "El nombre de un reglamento incluido, o un archivo de reglamento",
        ("rules diff", "other") => "El otro",
        ("rules new", "extends") => {
            "El reglamento del que se parte: el nombre de uno incluido, o un archivo en la carpeta de --out"
        }
        ("rules new", "out") => "El archivo que se escribe; uno que existe no se sustituye",
        ("rules new", "id") => {
            "El nombre del nuevo reglamento: de 1 a 64 de a-z, 0-9 y - [por omisión: el del archivo]"
        }
        ("rules new", "from") => {
            "Primer día en que rige, AAAA-MM-DD [por omisión: el del reglamento que amplía]"
        }
        ("rules print", "rulebook") => "El nombre de un reglamento incluido, o un archivo de reglamento",
        ("rules print", "out") => "El archivo que se escribe: .html o .md",
        ("rules print", "force") => "Sustituye el archivo si existe",
        ("release sign", "files") => "Los archivos de la versión; se nombran sin sus carpetas",
        ("release sign", "key") => "La clave que firma, hecha con `audit keys new`; nunca la de un registro",
        ("release sign", "out") => "La nota que se escribe; un archivo que existe no se sustituye",
        ("release verify", "note") => "La lista firmada",
        ("release verify", "files") => {
            "Archivos de la versión [por omisión: los que nombra la lista, en su carpeta]"
        }
        ("release verify", "key") => {
            "La clave que ha de haberla firmado: una clave de verificación, o su archivo"
        }
        ("man", "out") => "La carpeta en que se escriben; se crea si no existe",
        ("completions", "shell") => "El intérprete",
        _ => return None,
    })
}
