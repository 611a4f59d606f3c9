//! Writes parameters into statements, for a client that takes only text.

use data_encoding::HEXLOWER;

use overturn_service::store::{Param, Statement};

/// The statement as one text, without a semicolon.
pub(crate) fn render(statement: &Statement) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = statement.sql;
    // A question mark within quotes is not a parameter.
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match quote {
            None if c == '?' => {
                let digits = rest.len().saturating_sub(rest.trim_start_matches(|c: char| c.is_ascii_digit()).len());
                let (number, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
                text.push_str(&literal(parameter(statement, number)?));
                rest = after;
                continue;
            }
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        text.push(c);
    }
    Ok(text)
}

fn parameter<'s>(statement: &'s Statement, number: &str) -> Result<&'s Param, String> {
    let index = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let found = index.and_then(|index| statement.params.get(index));
    found.ok_or_else(|| format!("no parameter ?{number} for: {}", statement.sql))
}

fn literal(param: &Param) -> String {
    match param {
        Param::Null => "NULL".to_owned(),
        Param::Int(number) => number.to_string(),
        // A NUL would end the statement, and a program that reads lines may change other control characters.
        Param::Text(text) if text.chars().any(char::is_control) => {
            format!("CAST(X'{}' AS TEXT)", HEXLOWER.encode(text.as_bytes()))
        }
        Param::Text(text) => format!("'{}'", text.replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use overturn_service::store::{Param, Statement};
    use rusqlite::Connection;
    use rusqlite::types::Value;

    use super::render;

    fn statement(sql: &'static str, params: &[Param]) -> Statement {
        Statement { sql, params: params.to_vec() }
    }

    #[test]
    fn sqlite_reads_back_every_value_as_it_was() {
        let db = Connection::open_in_memory().unwrap();
        let read = |param: Param| -> Value {
            let sql = render(&statement("SELECT ?1", &[param])).unwrap();
            db.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        for text in ["", "plain", "O'Brien's", "''", "a\"b", "-- no", "?1", "Zoë 🦷", "one\ntwo\r\n", "nul\0'nul", "\0"]
        {
            assert_eq!(read(Param::Text(text.to_owned())), Value::Text(text.to_owned()));
        }
        for number in [0, -1, 1_790_000_000_000, i64::MAX, i64::MIN] {
            assert_eq!(read(Param::Int(number)), Value::Integer(number));
        }
        assert_eq!(read(Param::Null), Value::Null);
    }

    #[test]
    fn each_parameter_goes_to_its_number_and_nowhere_else() {
        let params: Vec<_> = (1..=10).map(Param::Int).collect();
        let sql = statement("SELECT ?10, ?1 + ?2, 'is it ?3', \"?4\"", &params);
        assert_eq!(render(&sql).unwrap(), "SELECT 10, 1 + 2, 'is it ?3', \"?4\"");
        assert!(render(&statement("SELECT ?2", &[Param::Null])).is_err());
        assert!(render(&statement("SELECT ?", &[Param::Null])).is_err());
    }
}
