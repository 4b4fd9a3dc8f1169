//! The server of the page: on this machine only, for its own page only.
//!
//! Every web site that a person visits can send requests to 127.0.0.1, and one whose name resolves to it
//! can also read the answers. So commands need a random token that only the opened page knows, and every
//! request must name this host, and come from this origin if it says where it comes from.

mod http;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::{Request, Response};
use ttr_sim::exec::fresh_secret;
use ttr_web::{FILES, Host, Session};

/// Most connections at a time. A browser opens six.
const MOST_CONNECTIONS: usize = 32;
/// The time that a connection may be silent.
const PATIENCE: Duration = Duration::from_secs(10);
/// The header with the token.
const TOKEN: &str = "X-Ttr-Token";

/// A page that is being served.
pub(crate) struct Server<H> {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    session: Mutex<Session<H>>,
    connections: AtomicUsize,
}

impl<H: Host> Server<H> {
    /// Starts to listen; port 0 is any that is free.
    pub(crate) fn new(port: u16, session: Session<H>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let token = format!("{:016x}{:016x}", fresh_secret(), fresh_secret());
        Ok(Self { listener, address, token, session: Mutex::new(session), connections: AtomicUsize::new(0) })
    }

    /// The address of the page. A browser does not send the part with the token to anybody.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/#{}", self.address, self.token)
    }

    /// Serves for ever, each connection on a thread of its own: an agent that thinks blocks no file.
    pub(crate) fn run(&self) -> ! {
        std::thread::scope(|scope| {
            loop {
                // A connection that fails is over; the next may not.
                let Ok((mut stream, _)) = self.listener.accept() else { continue };
                if self.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                    self.connections.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                scope.spawn(move || {
                    let _ = self.serve(&mut stream);
                    self.connections.fetch_sub(1, Ordering::Relaxed);
                });
            }
        })
    }

    fn serve(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let response = match Request::read(stream)? {
            Ok(request) => self.answer(&request),
            Err(refused) => refused,
        };
        response.write(stream)
    }

    fn answer(&self, request: &Request) -> Response {
        if let Err(why) = self.is_from_here(request) {
            return Response::error(403, why);
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/api") => self.command(request),
            ("GET", path) => {
                let name = if path == "/" { "index.html" } else { &path[1..] };
                match FILES.iter().find(|file| file.name == name) {
                    Some(file) => Response::new(file.media_type, file.content),
                    None => Response::error(404, "there is no such file"),
                }
            }
            _ => Response::error(405, "this can't be done here"),
        }
    }

    /// Checks that a request names this host, and is not sent by another page.
    fn is_from_here(&self, request: &Request) -> Result<(), &'static str> {
        let port = self.address.port();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let Some(host) = request.header("host").filter(|host| hosts.iter().any(|known| known == host)) else {
            return Err("this server answers only to its own name");
        };
        let same_origin = |origin: &str| origin == format!("http://{host}");
        if request.header("origin").is_some_and(|origin| !same_origin(origin)) {
            return Err("this server answers only its own page");
        }
        match request.header("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            // A link to the page is fine, if it is only to be looked at.
            Some(_) if request.header("sec-fetch-mode") == Some("navigate") && request.method == "GET" => {
                Ok(())
            }
            Some(_) => Err("this server answers only its own page"),
        }
    }

    fn command(&self, request: &Request) -> Response {
        if !request.header(TOKEN).is_some_and(|token| is_same(token, &self.token)) {
            return Response::error(
                403,
                "the token is missing or wrong: open the address that `ttr play` printed",
            );
        }
        if request.header("content-type") != Some("application/json") {
            return Response::error(400, "commands are JSON");
        }
        // A command that panicked left the session as it was, or with a game that is still a game.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        Response::new("application/json", session.answer(&request.body))
    }
}

/// Compares texts in a time that does not depend on where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}
