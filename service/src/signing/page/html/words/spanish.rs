//! The texts in Spanish, as it is written in the United States.

use super::Words;

pub(super) static WORDS: Words = Words {
    title: "Firme, por favor",
    who_asks: ["", " le pide que firme un documento."],
    what_for: "Una aseguradora no pagó una atención médica. El consultorio quiere pedirle que lo reconsidere. \
               Para eso necesita su permiso. Aquí no se le pedirá ningún pago.",
    other_language: "English",

    birth: "Fecha de nacimiento del paciente",
    birth_hint: "La pedimos para que ninguna otra persona pueda leer el documento. Si firma por otra persona, por ejemplo \
                 su hijo o hija, escriba la fecha de nacimiento de esa persona. Por ejemplo: 11 30 1951",
    month: "Mes",
    day: "Día",
    year: "Año",
    next: "Continuar",

    read: "Primero lea esto. Si es correcto, firme abajo.",
    your_signature: "Su firma",
    relation: "¿Quién firma?",
    relations: [
        "Soy el paciente",
        "Soy padre o madre del paciente, que es menor de edad",
        "Soy tutor del paciente, nombrado por un tribunal",
        "Tengo un poder notarial para la atención médica del paciente",
        "Administro la herencia del paciente, que falleció",
        "Puedo actuar por el paciente por otra razón legal",
    ],
    name: "Escriba su nombre completo",
    name_hint: "Escribir su nombre aquí es su firma.",
    draw: "O dibuje su firma en este recuadro con un dedo, un lápiz o un ratón.",
    clear: "Borrar el dibujo",
    drawn: "El recuadro tiene un dibujo.",
    cleared: "El recuadro está vacío.",
    consent: "He leído el texto de arriba y estoy de acuerdo.",
    sign: "Firmar",

    thanks: "Gracias",
    done: "Usted ha firmado, y el consultorio puede verlo. Ya puede cerrar esta página.",
    copy: "Esto es lo que firmó. Puede imprimir esta página y guardarla.",
    signed_name: "Nombre, como se escribió",
    signed_drawing: "Firma, como se dibujó",
    signed_at: "Firmado el",

    problem: "Hay un problema",
    changed: "El documento cambió después de que usted lo abrió. Léalo otra vez; luego acepte y firme.",
    no_month: "Escriba el mes de nacimiento: un número del 1 al 12, o su nombre.",
    no_day: "Escriba el día de nacimiento: un número del 1 al 31.",
    no_year: "Escriba el año de nacimiento con cuatro cifras, por ejemplo 1951.",
    no_such_day: "Ese mes no tiene ese día. Revise la fecha de nacimiento.",
    future: "La fecha de nacimiento debe estar en el pasado.",
    too_long: "Pasó más de media hora. Escriba la fecha de nacimiento otra vez.",
    wrong,
    no_relation: "Elija quién firma.",
    unnamed: "Escriba su nombre completo, porque usted firma por el paciente.",
    missing: "Falta su firma. Escriba su nombre completo.",
    name_too_long: "El nombre es demasiado largo: escriba 200 letras como máximo.",
    name_unprintable: "El nombre tiene signos que no se pueden mostrar. Escríbalo otra vez.",
    drawing: "No se pudo leer el dibujo. Bórrelo y dibuje otra vez, o escriba su nombre.",
    no_consent: "Marque la casilla para decir que está de acuerdo.",
};

fn wrong(left: i64) -> String {
    let tries =
        if left == 1 { "Le queda un intento más".to_owned() } else { format!("Le quedan {left} intentos más") };
    format!("Esa no es la fecha de nacimiento que tiene el consultorio. Revísela e intente otra vez. {tries}.")
}
