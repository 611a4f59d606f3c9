//! The pages about failures.

use super::document::message_in_both;
use crate::in_words::counted;

/// The reason of a failure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failed {
    /// The signing link is unknown, revoked, used, expired or out of attempts. The page does not say which.
    SigningLink,
    /// A limit was exceeded; the seconds to wait.
    TooMany(i64),
    /// The request does not come from a link or a form: the page does not exist, or another site sent the request.
    Request,
    /// A failure of the service or of a dependency.
    Service,
}

/// The reason of the failure, and what the reader can do.
#[must_use]
pub(crate) fn failed(reason: Failed) -> String {
    match reason {
        Failed::SigningLink => message_in_both(
            "This link does not work",
            "It may be too old, it may have been used, a part of it may be missing, or a wrong date of birth was \
             entered too often. Please ask the practice that gave it to you.",
            "Este enlace no funciona. Puede que sea demasiado antiguo, que ya se haya usado, que le falte una parte, o \
             que se haya escrito demasiadas veces una fecha de nacimiento incorrecta. Pregunte al consultorio que se \
             lo dio.",
        ),
        Failed::TooMany(seconds) => {
            let wait = counted(seconds, "second");
            message_in_both(
                "Too many tries",
                &format!("Wait {wait}, then go back and try again."),
                &format!("Demasiados intentos. Espere {seconds} s, vuelva atrás e intente otra vez."),
            )
        }
        Failed::Request => message_in_both(
            "There is nothing here",
            "Open the link that you were given again, and use the page that it leads to.",
            "Aquí no hay nada. Abra otra vez el enlace que le dieron, y use la página a la que lleva.",
        ),
        Failed::Service => message_in_both(
            "That did not work",
            "The fault is ours, not yours. Go back and try again in a minute.",
            "Eso no funcionó. El error es nuestro, no suyo. Vuelva atrás e intente otra vez en un minuto.",
        ),
    }
}
