// starter, a player in JavaScript: speaks UGI and plays any legal move, in every game.
//
//   mossa match "ugi:node bot.js" random connect4

const readline = require("node:readline");

/** Returns a move; the place for your ideas. The game's name is such as connect:6x7x4. */
function choose(game, moves, legal) {
  return legal[Math.floor(Math.random() * legal.length)];
}

/** The words after a given one; none if it is not there. */
function after(word, words) {
  return words.includes(word) ? words.slice(words.indexOf(word) + 1) : [];
}

function main() {
  let game = "connect:6x7x4";
  let moves = [];
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const words = line.trim().split(/\s+/);
    switch (words[0]) {
      case "ugi":
        console.log("id name starter");
        console.log("option name searchmoves type check default true");
        console.log("ugiok");
        break;
      case "isready":
        console.log("readyok");
        break;
      case "setoption":
        if (words[2] === "game") game = words[4];
        break;
      case "position":
        moves = after("moves", words);
        break;
      case "go": {
        const legal = after("searchmoves", words);
        console.log(`bestmove ${legal.length ? choose(game, moves, legal) : "none"}`);
        break;
      }
      case "quit":
        process.exit(0);
    }
  });
}

if (require.main === module) main();

module.exports = { after, choose };
