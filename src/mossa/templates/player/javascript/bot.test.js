// Tests of bot.js:
//
//   node --test

const assert = require("node:assert");
const { test } = require("node:test");
const { after, choose } = require("./bot.js");

test("choose() returns a legal move", () => {
  const legal = ["1", "4", "7"];
  for (let i = 0; i < 1000; i++) assert(legal.includes(choose("connect:6x7x4", ["4"], legal)));
});

test("an only move is played", () => {
  assert.strictEqual(choose("connect:6x7x4", [], ["4"]), "4");
});

test("after() finds the words behind one that is there", () => {
  const words = ["position", "startpos", "moves", "4", "5"];
  assert.deepStrictEqual(after("moves", words), ["4", "5"]);
  assert.deepStrictEqual(after("searchmoves", words), []);
});
