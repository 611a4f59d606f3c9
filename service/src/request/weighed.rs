//! Headers that list what a caller takes, with weights, such as `Accept` (RFC 9110, 12.4.2).

/// The items of a list such as `br, gzip;q=0.5`: their names, and their weights in thousandths. A weight that cannot be read
/// is 0, which means that the caller does not take the item.
pub fn weighed(list: &str) -> impl Iterator<Item = (&str, u16)> {
    list.split(',').map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        (name, parts.find_map(weight).unwrap_or(1_000))
    })
}

/// The weight of a parameter such as `q=0.5`. `None` for another parameter.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    let is_weight = name.trim().eq_ignore_ascii_case("q");
    is_weight.then(|| thousandths(value.trim()).unwrap_or_default())
}

fn thousandths(value: &str) -> Option<u16> {
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let is_number = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: u16 = format!("{part:0<3}").parse().ok()?;
    match whole {
        "0" if is_number => Some(part),
        "1" if is_number && part == 0 => Some(1_000),
        _ => None,
    }
}
