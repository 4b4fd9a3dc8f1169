//! Texts, files and lists of agents.

use super::*;
use crate::roster::Roster;

#[test]
fn every_agent_is_described() {
    for entry in Roster::built_in().entries() {
        assert!(!entry.about().is_empty(), "{}", entry.name());
        for param in entry.params() {
            let number = param.default.parse::<f64>().is_ok();
            assert!(!entry.is_tuned() || number, "{}: {}", entry.name(), param.name);
            assert!(!param.about.is_empty(), "{}: {}", entry.name(), param.name);
        }
    }
}

#[test]
fn a_setting_may_not_be_unknown() {
    let error = AgentSpec::parse("random:iters=3").unwrap_err().to_string();
    assert_eq!(error, "random has no parameter \"iters\"; it has none");
    let error = AgentSpec::parse("random:fast").unwrap_err().to_string();
    assert!(error.contains("should be key=value"), "{error}");
}

#[test]
fn a_label_in_the_file_is_respected() {
    let label = |file: &str, text: &str| {
        let agent = Roster::built_in().parse_with(text, &|_| Ok(file.to_owned()));
        agent.map_or_else(|error| error.to_string(), |agent| agent.label())
    };
    let labelled = "name = \"random\"\nlabel = \"my bot\"\n";
    assert_eq!(label(labelled, "random@mine.toml"), "my bot");
    assert_eq!(label(labelled, "other=random@mine.toml"), "other");
    assert_eq!(label("name = \"random\"\n", "random@mine.toml"), "random@mine.toml");
    let refused = "the agent file mine.toml can't be used: ";
    let greedy = label("name = \"greedy\"\n", "random@mine.toml");
    assert_eq!(greedy, format!("{refused}it is for the agent greedy, not for random"));
    assert!(label("settings.x = 1", "random@mine.toml").starts_with(refused));
    let unknown = label("name = \"random\"\nsettings.x = 1", "random@mine.toml");
    assert_eq!(unknown, format!("{refused}random has no parameter \"x\"; it has none"));
}

#[test]
fn labels_stand_in_front_of_agents() {
    let read = |text: &str| -> Vec<(String, String)> {
        let agents = AgentSpec::list(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        agents.iter().map(|agent| (agent.label(), agent.to_string())).collect()
    };
    let pair = |label: &str, text: &str| (label.to_owned(), text.to_owned());
    assert_eq!(
        read("a=ismcts:iters=500,rollout=planner,b=planner:wild=2,c=planner,random"),
        [
            pair("a", "ismcts:iters=500,rollout=planner"),
            pair("b", "planner:wild=2"),
            pair("c", "planner"),
            pair("random", "random")
        ]
    );
    assert_eq!(
        read("planner:train=2,hurry=3,x=ismcts:iters=5"),
        [pair("planner:hurry=3,train=2", "planner:hurry=3,train=2"), pair("x", "ismcts:iters=5")]
    );
    assert_eq!(
        read("ismcts:iters=500,threads=2,my bot = exec:A=1 python3 bot.py --x=y"),
        [
            pair("ismcts:iters=500,threads=2", "ismcts:iters=500,threads=2"),
            pair("my bot", "exec:A=1 python3 bot.py --x=y")
        ]
    );
    assert_eq!(AgentSpec::parse("exec:bot a=b").unwrap().label, None);
    for (text, says) in [
        ("ismcts,rollout=planner", "rollout is a parameter of ismcts: write ismcts:rollout=planner"),
        ("random,ismcts,iters=5", "write ismcts:iters=5"),
        ("ismcts:iters=500,rolout=planner", "did you mean the parameter \"rollout\" of ismcts?"),
        ("ismcts:iters=500,rollout=plannr", "ismcts: rollout is one of"),
        ("ismcts:iters=500,tuned=plannr", "did you mean \"planner\"?"),
        ("ismcts:iters=500,itres=300", "ismcts has no parameter \"itres\"; did you mean \"iters\"?"),
        ("random,tuned=plannr", "did you mean \"planner\"?"),
        ("random,tuned=planner@nowhere.toml", "nowhere.toml"),
        ("1=random", "begins with a letter"),
        ("=random", "begins with a letter"),
        ("a\u{1b}b=random", "begins with a letter"),
        ("a=b=random", "there is no agent \"b=random\""),
    ] {
        let error = AgentSpec::list(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let listed = |agents: &[AgentSpec]| agents.iter().map(AgentSpec::listed).collect::<Vec<_>>().join(",");
    for text in ["a=random,random", r"my bot=exec:x 1\,2 a=b,ismcts:iters=5,rollout=planner,c=planner"] {
        assert_eq!(listed(&AgentSpec::list(text).unwrap()), text);
    }
    let labelled = |label: &str| AgentSpec { label: Some(label.to_owned()), ..AgentSpec::new("random") };
    let written = [labelled("random@a,b.toml"), labelled("1 = 2"), labelled("mine")];
    assert_eq!(listed(&written), "random,random,mine=random");
    let long = format!("{}=random", "a".repeat(MAX_GIVEN_LABEL + 1));
    assert!(AgentSpec::parse(&long).is_err());
}

#[test]
fn labels_must_differ() {
    let error = |text: &str| {
        let error = AgentSpec::check_labels(&AgentSpec::list(text).unwrap());
        error.err().map(|error| error.to_string())
    };
    assert_eq!(error("a=random,b=random,random"), None);
    let says = "two agents are called \"a\"; give one of them another label, as in other=greedy";
    assert_eq!(error("a=random,a=greedy").as_deref(), Some(says));
    assert!(error("greedy=random,greedy").is_some());
}

/// The caller passes a function that reads files; nothing else touches the disk.
#[test]
fn files_are_read_by_the_caller() {
    let error = AgentSpec::parse("random@nowhere.toml").unwrap_err().to_string();
    assert_eq!(error, "the agent file nowhere.toml can't be used: files are not read here");
    let lost = Roster::built_in().list_with("greedy,random@nowhere.toml", &|_| Err("it is lost".to_owned()));
    assert_eq!(lost.unwrap_err().to_string(), "the agent file nowhere.toml can't be used: it is lost");
}

#[test]
fn commands_are_taken_as_they_are() {
    let agent = AgentSpec::parse("exec:python3 bot.py:x --a=b").unwrap();
    assert_eq!(agent.command(), Some("python3 bot.py:x --a=b"));
    assert_eq!(agent.to_string(), "exec:python3 bot.py:x --a=b");
    assert!(AgentSpec::parse("exec: ").is_err());
}

#[test]
fn numbers_are_checked_as_they_are_read() {
    for odd in
        ["ms=-0", "cutoff=-0", "iters=0", "iters=1e3", "iters=", "margin=NaN", "margin=-0.1", "margin=inf"]
    {
        let error = AgentSpec::parse(&format!("ismcts:{odd}")).unwrap_err().to_string();
        assert!(error.contains(odd.split_once('=').unwrap().0), "{error}");
    }
    let error = AgentSpec::parse("ismcts:iters=1, iters=2").unwrap_err().to_string();
    assert!(error.contains("iters is set twice"), "{error}");
}

/// Text and TOML say the same, whatever is set.
#[test]
fn texts_and_toml_round_trip() {
    for text in [
        "random",
        "yard:hold=0.25",
        "yard:hold=1.0",
        "yard:hold=1",
        "yard:hold=1e-1",
        "yard:hold=0.3000000000000000001",
        "hungry:ties=mixed,variant=coded",
        "ismcts:belief=8,iters=500,margin=0.5,rollout=light",
        r#"exec:python3 "my bot.py" --a=b,c \d"#,
    ] {
        let spec = AgentSpec::parse(text).unwrap();
        assert_eq!(spec.to_string(), text);
        let labelled = AgentSpec { label: Some("mine, \"the\" best".to_owned()), ..spec.clone() };
        for spec in [spec, labelled] {
            assert_eq!(AgentSpec::from_toml(&spec.to_toml()).unwrap(), spec, "{}", spec.to_toml());
        }
    }
}

/// Numbers may stand in TOML without quotes.
#[test]
fn toml_takes_numbers() {
    let spec = AgentSpec::from_toml("name = \"ismcts\"\n[settings]\niters = 500\nmargin = 0.25\n").unwrap();
    assert_eq!(spec.to_string(), "ismcts:iters=500,margin=0.25");
}

#[test]
fn lists_need_an_agent() {
    assert!(AgentSpec::list(" ,").is_err());
    assert_eq!(AgentSpec::list("random,").unwrap().len(), 1);
}
