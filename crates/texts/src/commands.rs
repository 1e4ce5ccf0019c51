//! What commands print and why they fail.

use crate::texts;

texts! {
    sealed(events, entries) "sealed {events} in {entries}" "sellados {events} en {entries}";
    skipped(events) "skipped {events} that the log already holds" "omitidos {events} que el registro ya contiene";
    conflicting(events)
        "recorded {events} with a number under which the log already holds a different event; audit verify log will report this"
        "registrados {events} con un número bajo el que el registro ya contiene otro suceso; audit verify log lo mostrará";
    the_event(event) "event {event}" "suceso {event}";
    the_events(first, last) "events {first} to {last}" "sucesos {first} a {last}";
    cosignatures[count]() "{count} cosignature" "{count} firma de testigos"
        / "{count} cosignatures" "{count} firmas de testigos";
    files[count]() "{count} file" "{count} archivo" / "{count} files" "{count} archivos";
    for_more_help() "For more information, try '--help'." "Para más información use '--help'.";
    unknown_argument(argument)
        "unexpected argument '{argument}'"
        "argumento desconocido: '{argument}'";
    missing_argument(arguments)
        "the following required arguments were not provided: {arguments}"
        "faltan argumentos obligatorios: {arguments}";
    conflicting_arguments(argument, other)
        "the argument '{argument}' cannot be used with '{other}'"
        "el argumento '{argument}' no se puede usar junto con '{other}'";
    unknown_command(command) "unrecognized subcommand '{command}'" "orden desconocida: '{command}'";
    invalid_value(value, argument)
        "invalid value '{value}' for '{argument}'"
        "valor no válido '{value}' para '{argument}'";
    invalid_value_of(value, argument, valid)
        "invalid value '{value}' for '{argument}' [possible values: {valid}]"
        "valor no válido '{value}' para '{argument}' [valores posibles: {valid}]";
    exists_already(file)
        "{file} already exists; choose another name, or give --force"
        "{file} ya existe; elija otro nombre o dé --force";
    internal_error(what)
        "internal error, please report it: {what}"
        "error interno, comuníquelo por favor: {what}";
    lines_not_printed(count)
        "{count} lines were not printed: standard output was read too slowly"
        "no se imprimieron {count} líneas: la salida estándar se leyó demasiado despacio";
}
