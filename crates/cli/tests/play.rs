//! `ttr play` as a server: whom it answers, and what it refuses.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value as Json;
use support::{Folder, ttr};

/// A running `ttr play`, ended when it is dropped.
struct Play {
    child: Child,
    address: String,
    token: String,
}

impl Play {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ttr"))
            .args(["play", "--no-open"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("ttr runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("it prints its address");
        let (address, token) =
            line.trim().trim_start_matches("http://").split_once("/#").expect("an address");
        Self { address: address.to_owned(), token: token.to_owned(), child }
    }

    /// Sends bytes and returns the status and the body of the answer.
    fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains("Content-Security-Policy: default-src 'none';"), "{head}");
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.address))
    }

    /// Sends a command with these headers in addition to those that a page sends.
    fn post(&self, host: &str, token: &str, headers: &str, command: &str) -> (u16, String) {
        let length = command.len();
        self.send(&format!(
            "POST /api HTTP/1.1\r\nHost: {host}\r\nX-Ttr-Token: {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n{headers}\r\n{command}"
        ))
    }

    fn run(&self, command: &str) -> Json {
        let (status, body) = self.post(&self.address, &self.token, "", command);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const LOOK: &str = r#"{"do": "look"}"#;

#[test]
fn the_page_and_its_commands_are_served() {
    let play = Play::start(&["--map", "nordic", "--seats", "3", "--seat", "2", "--against", "greedy,random"]);
    let (status, page) = play.get("/", "");
    assert!(status == 200 && page.contains("main.js"));
    for file in ttr_web::FILES {
        assert_eq!(play.get(&format!("/{}", file.name), ""), (200, file.content.to_owned()));
    }
    let info = &play.run(r#"{"do": "describe"}"#)["ok"];
    assert_eq!((&info["game"]["map"], &info["person"]), (&Json::from("nordic"), &Json::from(1)));
    // In turn order after the person.
    assert_eq!(
        (&info["players"][2]["name"], &info["players"][0]["name"]),
        (&"greedy".into(), &"random".into())
    );
    assert_eq!(play.run(LOOK)["ok"]["view"]["seat"], 1);
    assert_eq!(play.get("/../Cargo.toml", "").0, 404);
    assert_eq!(play.get("/api", "").0, 404);
    assert_eq!(play.send(&format!("PUT / HTTP/1.1\r\nHost: {}\r\n\r\n", play.address)).0, 405);
}

/// A page of another site can't send commands, nor a site whose name resolves to this machine read answers.
#[test]
fn others_are_refused() {
    let play = Play::start(&["--map", "first-journey-usa"]);
    let port = play.address.split_once(':').unwrap().1;
    let localhost = format!("localhost:{port}");
    let own = format!("Origin: http://{}\r\n", play.address);
    assert_eq!(play.post(&play.address, &play.token, &own, LOOK).0, 200);
    assert_eq!(play.post(&localhost, &play.token, "", LOOK).0, 200);
    let wrong = "0".repeat(play.token.len());
    for (host, token, headers) in [
        (play.address.as_str(), "", ""),
        (&play.address, &wrong, ""),
        (&play.address, &play.token[1..], ""),
        ("evil.example", &play.token, ""),
        (&format!("evil.example:{port}"), &play.token, ""),
        ("127.0.0.1", &play.token, ""),
        (&play.address, &play.token, "Origin: http://evil.example\r\n"),
        (&play.address, &play.token, "Origin: null\r\n"),
        (&play.address, &play.token, "Origin: http://127.0.0.1:1\r\n"),
        (&localhost, &play.token, &own),
        (&play.address, &play.token, "Sec-Fetch-Site: cross-site\r\n"),
        (&play.address, &play.token, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
    ] {
        let (status, body) = play.post(host, token, headers, LOOK);
        assert!(status == 403 && !body.contains("hand"), "{host} {headers}: {status} {body}");
    }
    assert_eq!(play.get("/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n").0, 200);
    assert_eq!(play.get("/main.js", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n").0, 403);
    let form = format!(
        "POST /api HTTP/1.1\r\nHost: {}\r\nX-Ttr-Token: {}\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n{LOOK}",
        play.address, play.token
    );
    assert_eq!(play.send(&form).0, 400);
}

/// Only what the command line names is read or started.
#[test]
fn a_page_reads_no_files_and_starts_no_processes() {
    let folder = Folder::new("play");
    folder.write("mine.toml", "format = 1\nname = 'Short USA'\nbase = 'usa'\nrules.trains = 20");
    let map = folder.0.join("mine.toml");
    let play = Play::start(&["--map", map.to_str().unwrap(), "--against", "exec:true"]);
    let order = |map: &str, agent: &str| {
        play.run(&format!(
            r#"{{"do": "new", "map": "{map}", "seats": 2, "against": ["{agent}"], "seed": "1", "seat": 0}}"#
        ))
    };
    assert_eq!(order("mine", "greedy")["ok"]["game"]["name"], "Short USA");
    let menu = play.run(r#"{"do": "menu"}"#);
    let maps = menu["ok"]["maps"].as_array().unwrap();
    assert!(maps.iter().any(|map| map["name"] == "Short USA") && maps.len() > 10);
    for (map, agent, why) in [
        (map.to_str().unwrap(), "greedy", "there is no map"),
        ("usa", "exec:echo", "named with --against"),
        ("usa", "planner@mine.toml", "not read here"),
    ] {
        let answer = order(map, agent);
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(why)), "{answer}");
    }
    // The process of the command line may play; it ends at once, which the page learns.
    assert!(order("usa", "exec:true").get("ok").is_some());
    let given_up = (0..4).map(|_| {
        let look = play.run(LOOK);
        match look["ok"]["legal"].get(0) {
            Some(action) => play.run(&format!(r#"{{"do": "play", "action": {}}}"#, action["index"])),
            None => play.run(r#"{"do": "advance"}"#),
        }
    });
    let errors: Vec<Json> = given_up.filter(|answer| answer.get("error").is_some()).collect();
    assert!(errors[0]["error"].as_str().unwrap().contains("gives up"), "{errors:?}");
}

#[test]
fn a_recorded_game_is_opened() {
    let folder = Folder::new("play-record");
    folder.write("mine.toml", "format = 1\nname = 'Short USA'\nbase = 'usa'\nrules.trains = 25");
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (map, record) = (path("mine.toml"), path("games/replays/000000.ttr"));
    let arena =
        ["arena", "--map", "mine.toml", "--agents", "greedy,random", "--games", "2", "--save-replays", "1"];
    folder.ttr(&[&arena[..], &["--out", "games", "--quiet"]].concat()).good();
    let play = Play::start(&["--record", &record, "--map", &map]);
    let look = &play.run(LOOK)["ok"];
    assert!(look["over"] == true && look["view"]["seats"][1]["hand"].is_object(), "{look}");
    let error = ttr(&["play", "--no-open", "--record", &record]).refused();
    assert!(error.contains("give its file with --map"), "{error}");
    let error = ttr(&["play", "--no-open", "--record", &map]).refused();
    assert!(error.contains("not a recorded game"), "{error}");
}

#[test]
fn invalid_arguments_are_refused() {
    for (args, why) in [
        (&["--map", "atlantis"][..], "atlantis"),
        (&["--seat", "3"], "counted from 1 to 2"),
        (&["--seat", "0"], "counted from 1"),
        (&["--against", "yard"], "yard plays the Card Game"),
        (&["--seats", "7"], "7"),
        (&["--watch", "--seat", "1"], "cannot be used with"),
        (&["--port", "70000"], "70000"),
    ] {
        let error = ttr(&[&["play", "--no-open"], args].concat()).refused();
        assert!(error.contains(why), "{args:?}: {error}");
    }
    let busy = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = busy.local_addr().unwrap().port().to_string();
    let error = ttr(&["play", "--no-open", "--port", &port]).refused();
    assert!(error.contains("choose another one with --port"), "{error}");
}
