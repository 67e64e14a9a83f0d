//! starter, a player in Rust: speaks UGI and plays any legal move, in every game.
//!
//!     cargo build --release
//!     mossa match ugi:target/release/bot random connect4

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{stdin, stdout, BufRead, Write};

/// Returns a move; the place for your ideas. The game's name is such as connect:6x7x4.
fn choose<'a>(_game: &str, _moves: &[String], legal: &[&'a str]) -> &'a str {
    // A new RandomState has keys that nobody knows: as random as a starter needs.
    let random = RandomState::new().build_hasher().finish() as usize;
    legal[random % legal.len()]
}

/// The words after a given one; none if it is not there.
fn after<'a>(word: &str, words: &[&'a str]) -> Vec<&'a str> {
    let found = words.iter().position(|each| *each == word);
    found.map_or(Vec::new(), |at| words[at + 1..].to_vec())
}

/// Prints a line at once: one in a buffer is never heard.
fn say(line: &str) {
    println!("{line}");
    let _ = stdout().flush();
}

fn main() {
    let mut game = String::from("connect:6x7x4");
    let mut moves: Vec<String> = Vec::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("ugi") => {
                say("id name starter\noption name searchmoves type check default true\nugiok")
            }
            Some("isready") => say("readyok"),
            Some("setoption") if words.len() > 4 && words[2] == "game" => game = words[4].into(),
            Some("position") => {
                moves = after("moves", &words).into_iter().map(String::from).collect()
            }
            Some("go") => match after("searchmoves", &words).as_slice() {
                [] => say("bestmove none"),
                legal => say(&format!("bestmove {}", choose(&game, &moves, legal))),
            },
            Some("quit") => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legal_move_is_chosen() {
        let legal = ["1", "4", "7"];
        for _ in 0..1000 {
            assert!(legal.contains(&choose("connect:6x7x4", &["4".into()], &legal)));
        }
    }

    #[test]
    fn an_only_move_is_played() {
        assert_eq!(choose("connect:6x7x4", &[], &["4"]), "4");
    }

    #[test]
    fn words_behind_another_are_found() {
        let words = ["position", "startpos", "moves", "4", "5"];
        assert_eq!(after("moves", &words), ["4", "5"]);
        assert!(after("searchmoves", &words).is_empty());
    }
}
