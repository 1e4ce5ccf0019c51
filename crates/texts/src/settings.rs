//! Settings of the service that are none or have a wrong value, and arguments that cannot be used.

use crate::texts;

texts! {
    settings_not_of_service()
        "the settings are not those of a service"
        "los ajustes no son los de un servicio";
    with_settings_of(file) "(with the settings of {file})" "(con los ajustes de {file})";
    no_such_variable(name)
        "the environment has {name}, which is not a setting of audit serve (audit serve --help lists the settings; AUDIT_SERVE_MAX_BODY stands for --max-body)"
        "el entorno tiene {name}, que no es un ajuste de audit serve (audit serve --help enumera los ajustes; AUDIT_SERVE_MAX_BODY equivale a --max-body)";
    no_such_variable_but(name, meant)
        "the environment has {name}, which is not a setting of audit serve; did you mean {meant}? (audit serve --help lists the settings; AUDIT_SERVE_MAX_BODY stands for --max-body)"
        "el entorno tiene {name}, que no es un ajuste de audit serve; ¿quería decir {meant}? (audit serve --help enumera los ajustes; AUDIT_SERVE_MAX_BODY equivale a --max-body)";
    bad_variable(name, value, why)
        "{name}={value} in the environment: {why}"
        "{name}={value} en el entorno: {why}";
    in_settings_line(file, line, why)
        "{file}, line {line}: {why}"
        "{file}, línea {line}: {why}";
    no_sections(key)
        "`{key}` is not a setting; settings stand in no [section], each as `name = value`"
        "`{key}` no es un ajuste; los ajustes no van en ninguna [sección], cada uno como `nombre = valor`";
    no_such_setting_but(key, meant)
        "`{key}` is not a setting; did you mean `{meant}`?"
        "`{key}` no es un ajuste; ¿quería decir `{meant}`?";
    no_such_setting(key, all)
        "`{key}` is not a setting; the settings are {all}"
        "`{key}` no es un ajuste; los ajustes son {all}";
    bad_setting(key, value, why) "`{key}` = {value}: {why}" "`{key}` = {value}: {why}";
    setting_of_wrong_kind(key, found, expected)
        "`{key}` is {found}; expected {expected}"
        "`{key}` es {found}; se esperaba {expected}";

    expected_flag() "true or false, without quotes" "true o false, sin comillas";
    expected_number() "a whole number, without quotes" "un número entero, sin comillas";
    expected_text() "a text in quotes" "un texto entre comillas";
    expected_texts()
        "a text in quotes, or a list of such texts that is not empty"
        "un texto entre comillas, o una lista de tales textos que no esté vacía";
    found_text() "a text" "un texto";
    found_number() "a number" "un número";
    found_fraction() "a number with a fraction" "un número con decimales";
    found_time() "a date or time" "una fecha u hora";
    found_empty_list() "an empty list" "una lista vacía";
    found_list() "a list" "una lista";
    found_section() "a section" "una sección";
    found_list_with(item) "a list with {item}" "una lista con {item}";
    expected_true_or_false() "expected true or false" "se esperaba true o false";
    expected_in_range()
        "expected a whole number of the range that audit serve --help names"
        "se esperaba un número entero del intervalo que nombra audit serve --help";
    expected_one_of(values) "expected {values}" "se esperaba {values}";
    either_of(one, other) "{one} or {other}" "{one} o {other}";
    expected_a_value() "expected a value" "se esperaba un valor";
    from_command_line() "command line" "línea de órdenes";
    from_default() "default" "por omisión";
    from_nowhere() "not set" "sin fijar";
    setting_is(key, from) "# {key} is {from}\n" "# {key}: {from}\n";

    not_in_range(value, least, most)
        "{value} is not in {least}..={most}"
        "{value} no está entre {least} y {most}";
    below_range(value, least) "{value} is less than {least}" "{value} es menor que {least}";
    not_a_whole_number() "invalid digit found in string" "no es un número entero";
    number_too_large()
        "number too large to fit in target type"
        "es un número demasiado grande";
    bad_rate()
        "expected a number of events from 1, or `max`"
        "se esperaba un número de sucesos desde 1, o `max`";
    bad_batch(most)
        "expected a number from 1 to {most}, `coup` or `shoe`"
        "se esperaba un número de 1 a {most}, `coup` o `shoe`";
    argument_repeated(argument)
        "the argument '{argument}' cannot be used multiple times"
        "el argumento '{argument}' no se puede usar varias veces";
    argument_needs_value(argument)
        "a value is required for '{argument}' but none was supplied"
        "falta el valor de '{argument}'";
    argument_needs_value_of(argument, valid)
        "a value is required for '{argument}' but none was supplied [possible values: {valid}]"
        "falta el valor de '{argument}' [valores posibles: {valid}]";
    argument_takes_no_value(value, argument)
        "unexpected value '{value}' for '{argument}' found; no more were expected"
        "valor '{value}' de más para '{argument}': no se esperaba ninguno más";
    argument_needs_values(argument, wanted, given)
        "{wanted} values required for '{argument}' but {given} were provided"
        "'{argument}' necesita {wanted} valores y se dieron {given}";
    argument_needs_equals(argument)
        "equal sign is needed when assigning values to '{argument}'"
        "falta el signo igual antes del valor de '{argument}'";
    command_missing(command, known)
        "'{command}' requires a subcommand but one was not provided [subcommands: {known}]"
        "falta la orden que sigue a '{command}' [órdenes: {known}]";
    argument_not_utf8()
        "invalid UTF-8 was detected in one or more arguments"
        "uno o más argumentos no son UTF-8";
    invalid_value_because(value, argument, why)
        "invalid value '{value}' for '{argument}': {why}"
        "valor no válido '{value}' para '{argument}': {why}";
    perhaps_meant(what) "did you mean '{what}'?" "¿quería decir '{what}'?";
}
