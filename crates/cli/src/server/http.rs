//! As much of HTTP/1.1 as a page on the same machine needs: one request per connection, everything bounded.

use std::io::{self, Read, Write};

/// Most bytes of a request before its body.
const MOST_HEAD: usize = 16 << 10;
/// Most bytes of a body.
const MOST_BODY: usize = 1 << 20;

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, without what follows a question mark.
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    /// The value of a header. One that is given twice counts as missing: it is not clear which to trust.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = values.next()?;
        values.next().is_none().then_some(first.1.as_str())
    }

    /// Reads a request. The outer error is that of the connection, the inner one the answer to a request
    /// that is not understood.
    pub(crate) fn read(stream: &mut impl Read) -> io::Result<Result<Self, Response>> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = find(&bytes, b"\r\n\r\n") {
                break end;
            }
            if bytes.len() > MOST_HEAD {
                return Ok(Err(Response::error(431, "the request is too long")));
            }
            more(stream, &mut bytes)?;
        };
        let Some((mut request, length)) = std::str::from_utf8(&bytes[..end]).ok().and_then(Self::head) else {
            return Ok(Err(Response::error(400, "this is not a request")));
        };
        if length > MOST_BODY {
            return Ok(Err(Response::error(413, "the request is too long")));
        }
        let mut body = bytes.split_off(end + 4);
        while body.len() < length {
            more(stream, &mut body)?;
        }
        body.truncate(length);
        match String::from_utf8(body) {
            Ok(body) => request.body = body,
            Err(_) => return Ok(Err(Response::error(400, "the request is not text"))),
        }
        Ok(Ok(request))
    }

    /// The request line and the headers, and the length of the body.
    fn head(text: &str) -> Option<(Self, usize)> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return None;
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            (!name.is_empty() && !name.contains(' ')).then(|| (name.to_owned(), value.trim().to_owned()))
        };
        let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
        let path = target.split('?').next()?.to_owned();
        let request = Self { method: method.to_owned(), path, headers, body: String::new() };
        // The length of a body sent in chunks is not known.
        if request.header("transfer-encoding").is_some() {
            return None;
        }
        let given = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = if given { request.header("content-length")?.parse().ok()? } else { 0 };
        Some((request, length))
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Reads some more bytes.
fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        n => {
            bytes.extend_from_slice(&buffer[..n]);
            Ok(())
        }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    media_type: &'static str,
    body: String,
}

impl Response {
    pub(crate) fn new(media_type: &'static str, body: impl Into<String>) -> Self {
        Self { status: 200, media_type, body: body.into() }
    }

    pub(crate) fn error(status: u16, why: &str) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", why.to_owned() + "\n") }
    }

    /// Writes the answer. The page may load nothing but its own files, and no other page may show it or read
    /// from it.
    pub(crate) fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            413 => "Content Too Large",
            431 => "Request Header Fields Too Large",
            _ => "Error",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n",
            self.status,
            self.media_type,
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(self.body.as_bytes())?;
        stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<Result<Request, Response>> {
        Request::read(&mut text.as_bytes())
    }

    fn status(text: &str) -> u16 {
        read(text).expect("all bytes are there").expect_err("it is refused").status
    }

    #[test]
    fn requests_are_read() {
        let text = "POST /api?x=1 HTTP/1.1\r\nHost: here\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 5\r\n\r\nhello, and more";
        let request = read(text).unwrap().unwrap();
        assert_eq!((&*request.method, &*request.path, &*request.body), ("POST", "/api", "hello"));
        assert_eq!((request.header("host"), request.header("x-two")), (Some("here"), None));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "GET\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET http://elsewhere/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        ] {
            assert_eq!(status(text), 400, "{text}");
        }
    }

    #[test]
    fn requests_are_bounded() {
        let long = "x".repeat(MOST_HEAD + 5000);
        assert_eq!(status(&format!("GET /{long} HTTP/1.1\r\n\r\n")), 431);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"), 413);
        assert!(read("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort").is_err());
    }
}
