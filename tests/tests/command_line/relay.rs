//! A proxy between a client and the service that stops passing answers on.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// Listens on a new port, passes everything on to another, and passes back only `answers` answers.
pub(crate) fn relay(to: u16, answers: u32) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let left = Arc::new(AtomicU32::new(answers));
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(("127.0.0.1", to)).unwrap();
            let (up, down) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || pass(up, server, |_| true));
            let left = Arc::clone(&left);
            thread::spawn(move || pass(down, client, |piece| is_let_through(piece, &left)));
        }
    });
    port
}

/// Each answer begins with a status line. The client reads one answer to its end before the next begins.
fn is_let_through(piece: &[u8], left: &AtomicU32) -> bool {
    let less = |left: u32| left.checked_sub(1);
    !piece.starts_with(b"HTTP/1.1 ") || left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok()
}

fn pass(mut from: TcpStream, mut to: TcpStream, lets_through: impl Fn(&[u8]) -> bool) {
    let mut piece = vec![0; 65_536];
    let mut through = true;
    while let Ok(length @ 1..) = from.read(&mut piece) {
        through = through && lets_through(&piece[..length]);
        if through && to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    // Either side may have closed the connection.
    let _sent = to.shutdown(Shutdown::Write);
}
