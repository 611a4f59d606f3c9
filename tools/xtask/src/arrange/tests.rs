//! Tests of the order of functions.

use super::{Functions, named, order, write_bytes, write_number};

/// A module of an imported function, an imported tag and these bodies.
fn module(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut code = Vec::new();
    write_number(&mut code, bodies.len());
    for body in bodies {
        write_bytes(&mut code, body);
    }
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    for (id, section) in [(2, b"\x02\x01a\x01b\x00\x00\x01a\x01b\x04\x00\x00".to_vec()), (10, code)] {
        module.push(id);
        write_bytes(&mut module, &section);
    }
    module
}

/// Two families of three functions each, in turns.
fn families() -> Vec<Vec<u8>> {
    let body = |family: u8, member: u8| {
        let shared = (0..200_u8).map(move |n| n.wrapping_mul(family.wrapping_add(7)));
        shared.chain([member; 3]).collect()
    };
    (0..6).map(|n| body(n % 2, n)).collect()
}

#[test]
fn similar_functions_come_together() {
    let bodies = families();
    let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
    let order = order(&bodies);
    let families: Vec<usize> = order.iter().map(|n| n % 2).collect();
    assert_eq!(families, [0, 0, 0, 1, 1, 1], "{order:?}");
}

#[test]
fn each_function_is_named_after_its_place() {
    let module = module(&families());
    let named = named(&module).unwrap();
    let section = named.strip_prefix(module.as_slice()).unwrap();
    assert_eq!(section.get(..1), Some(&[0][..]));
    let names = String::from_utf8_lossy(section);
    for (place, index) in ["0", "1", "2"].into_iter().zip(["\x01", "\x03", "\x05"]) {
        let name = format!("{index}\x080000000{place}");
        assert!(names.contains(&name), "{names:?}");
    }
    let functions = Functions::of(&named).unwrap();
    assert_eq!((functions.imported, functions.bodies.len()), (1, 6));
}

#[test]
fn a_malformed_module_has_no_order() {
    let module = module(&families());
    assert!(named(module.get(..module.len() - 1).unwrap()).is_none());
    let memory = b"\0asm\x01\0\0\0\x02\x08\x01\x01a\x01b\x02\x00\x01";
    assert!(named(memory).is_none());
}
