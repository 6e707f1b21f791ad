/**
 * Evaluated in the isolate before the answer is: what tests use to compare. It keeps the built-in functions it needs, and makes
 * those that tests use unchangeable, so that an answer cannot pass by redefining them.
 */
export const HARNESS = String.raw`(() => {
  'use strict';
  const { apply, ownKeys, getPrototypeOf } = Reflect;
  const { is, keys, getOwnPropertyDescriptor, defineProperty } = Object;
  const { isArray } = Array;
  const { stringify } = JSON;
  const { abs } = Math;
  const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach, toText = String;
  const includes = Array.prototype.includes, contains = String.prototype.includes, matches = RegExp.prototype.test;
  const ErrorOf = Error, MapOf = Map, SetOf = Set, PromiseOf = Promise, DateOf = Date, getTime = Date.prototype.getTime;

  class AssertionError extends Error {
    constructor(message) { super(message); defineProperty(this, 'name', { value: 'AssertionError' }); }
  }
  const show = (value) => {
    try {
      const text = typeof value === 'string' || (typeof value === 'object' && value !== null) ? stringify(value) : toText(value);
      return text === undefined ? toText(value) : text.length > 100 ? text.slice(0, 100) + '…' : text;
    } catch { return 'something'; }
  };
  const fail = (message, fallback) => { throw message instanceof ErrorOf ? message : new AssertionError(message === undefined ? fallback : toText(message)); };

  const entriesOf = (collection, each) => { const list = []; let size = 0; apply(each, collection, [(value, key) => { list[size++] = [key, value]; }]); return list; };
  const same = (a, b, isStrict, depth) => {
    if (is(a, b) || a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return !isStrict && a == b;
    if (depth > 500) return false;
    if (isStrict && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
    if (isArray(a) !== isArray(b)) return false;
    if (a instanceof DateOf && b instanceof DateOf) return apply(getTime, a, []) === apply(getTime, b, []);
    if (a instanceof ErrorOf && b instanceof ErrorOf && a.message !== b.message) return false;
    if (a instanceof MapOf || b instanceof MapOf) return a instanceof MapOf && b instanceof MapOf && sameItems(entriesOf(a, mapEach), entriesOf(b, mapEach), isStrict, depth);
    if (a instanceof SetOf || b instanceof SetOf) return a instanceof SetOf && b instanceof SetOf && sameItems(entriesOf(a, setEach), entriesOf(b, setEach), isStrict, depth);
    const own = keys(a), other = keys(b);
    if (own.length !== other.length) return false;
    for (let at = 0; at < own.length; at++) {
      if (getOwnPropertyDescriptor(b, own[at]) === undefined || !same(a[own[at]], b[own[at]], isStrict, depth + 1)) return false;
    }
    return true;
  };
  const sameItems = (a, b, isStrict, depth) => {
    if (a.length !== b.length) return false;
    const used = {};
    for (let at = 0; at < a.length; at++) {
      let found = false;
      for (let other = 0; other < b.length && !found; other++)
        if (!used[other] && same(a[at][0], b[other][0], isStrict, depth + 1) && same(a[at][1], b[other][1], isStrict, depth + 1)) { used[other] = true; found = true; }
      if (!found) return false;
    }
    return true;
  };
  const throws = (run, wanted) => {
    let thrown;
    try { run(); return false; } catch (error) { thrown = error; }
    if (wanted === undefined || typeof wanted === 'string' && !(thrown instanceof ErrorOf)) return true;
    if (wanted instanceof RegExp) return apply(matches, wanted, [toText(thrown && thrown.message)]);
    if (typeof wanted === 'string') return apply(contains, thrown.message, [wanted]);
    if (typeof wanted === 'function') return thrown instanceof wanted || (getPrototypeOf(wanted) === null);
    return true;
  };

  const assert = (value, message) => { if (!value) fail(message, 'got ' + show(value)); };
  const compare = (check, word) => (actual, expected, message) => { if (!check(actual, expected)) fail(message, 'expected ' + word + show(expected) + ', got ' + show(actual)); };
  const methods = {
    ok: assert,
    equal: compare((a, b) => a == b || is(a, b), ''), notEqual: compare((a, b) => a != b, 'not '),
    strictEqual: compare((a, b) => is(a, b), ''), notStrictEqual: compare((a, b) => !is(a, b), 'not '),
    deepEqual: compare((a, b) => same(a, b, false, 0), ''), notDeepEqual: compare((a, b) => !same(a, b, false, 0), 'not '),
    deepStrictEqual: compare((a, b) => same(a, b, true, 0), ''), notDeepStrictEqual: compare((a, b) => !same(a, b, true, 0), 'not '),
    throws: (run, wanted, message) => { if (!throws(run, typeof wanted === 'string' ? undefined : wanted)) fail(message, 'expected an error'); },
    doesNotThrow: (run) => { run(); },
    rejects: async (promise) => { try { await (typeof promise === 'function' ? promise() : promise); } catch { return; } fail(undefined, 'expected a rejection'); },
    match: (text, pattern, message) => { if (!apply(matches, pattern, [text])) fail(message, show(text) + ' does not match'); },
    fail: (message) => fail(message, 'failed'),
    AssertionError,
  };
  for (const name of keys(methods)) assert[name] = methods[name];
  assert.strict = assert;

  const matchers = (actual) => ({
    toBe: (wanted) => [is(actual, wanted), show(wanted)],
    toEqual: (wanted) => [same(actual, wanted, false, 0) && (typeof actual === 'object' || typeof actual === typeof wanted), show(wanted)],
    toStrictEqual: (wanted) => [same(actual, wanted, true, 0), show(wanted)],
    toBeCloseTo: (wanted, digits = 2) => [abs(actual - wanted) < 10 ** -digits / 2 || actual === wanted, show(wanted)],
    toBeNull: () => [actual === null, 'null'], toBeUndefined: () => [actual === undefined, 'undefined'],
    toBeDefined: () => [actual !== undefined, 'a value'], toBeNaN: () => [actual !== actual, 'NaN'],
    toBeTruthy: () => [!!actual, 'a truthy value'], toBeFalsy: () => [!actual, 'a falsy value'],
    toBeGreaterThan: (than) => [actual > than, 'more than ' + show(than)], toBeGreaterThanOrEqual: (than) => [actual >= than, 'at least ' + show(than)],
    toBeLessThan: (than) => [actual < than, 'less than ' + show(than)], toBeLessThanOrEqual: (than) => [actual <= than, 'at most ' + show(than)],
    toContain: (item) => [typeof actual === 'string' ? apply(contains, actual, [item]) : apply(includes, actual, [item]), 'something with ' + show(item)],
    toHaveLength: (length) => [actual != null && actual.length === length, 'length ' + show(length)],
    toMatch: (pattern) => [typeof pattern === 'string' ? apply(contains, actual, [pattern]) : apply(matches, pattern, [actual]), 'a match'],
    toBeInstanceOf: (kind) => [actual instanceof kind, 'an instance'],
    toThrow: (wanted) => [throws(actual, wanted), 'an error'],
  });
  const expect = (actual) => {
    const build = (isNegative) => {
      const all = matchers(actual), bound = {};
      for (const name of keys(all)) bound[name] = (...given) => {
        const [holds, wanted] = all[name](...given);
        if (!!holds === isNegative) throw new AssertionError('expected ' + (isNegative ? 'not ' : '') + wanted + ', got ' + show(actual));
      };
      return bound;
    };
    const expectation = build(false);
    expectation.not = build(true);
    expectation.toThrowError = expectation.toThrow;
    return expectation;
  };

  const quiet = () => {};
  const consoleOf = (check) => ({ log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet, table: quiet, time: quiet, timeEnd: quiet, assert: check });
  const util = { isDeepStrictEqual: (a, b) => same(a, b, true, 0), inspect: show, isEqual: (a, b) => same(a, b, true, 0) };
  const modules = { assert, 'assert/strict': assert, util, lodash: util };
  const require = (name) => {
    const plain = toText(name).replace(/^node:/, '');
    if (modules[plain] === undefined) throw new ReferenceError('module ' + plain + ' is not defined');
    return modules[plain];
  };
  let pending = [];
  const test = (_name, run) => { const result = run(); if (result instanceof PromiseOf) pending[pending.length] = result; };
  const describe = (_name, run) => { run(); };
  const settle = async () => { for (let at = 0; at < pending.length; at++) await pending[at]; };

  const module = { exports: {} };
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.console = consoleOf(quiet);
  globalThis.require = (name) => require(name);

  // Methods that tests rely on. Names that classes of answers set themselves stay free.
  const free = ['constructor', 'name', 'message', 'length', 'toString', 'valueOf', 'toJSON', 'prototype', 'stack'];
  for (const holder of [JSON, Math, Reflect, Object, Array, Number, String, Promise, Symbol, Object.prototype, Array.prototype, String.prototype, Number.prototype, Map.prototype, Set.prototype, RegExp.prototype, Promise.prototype, Function.prototype, Date.prototype]) {
    const names = ownKeys(holder);
    for (let at = 0; at < names.length; at++) {
      const descriptor = getOwnPropertyDescriptor(holder, names[at]);
      const isFree = typeof names[at] === 'string' && apply(includes, free, [names[at]]);
      if (!isFree && descriptor.configurable && typeof descriptor.value === 'function')
        defineProperty(holder, names[at], { value: descriptor.value, writable: false, configurable: false });
    }
  }
  return { assert, expect, require, console: consoleOf(assert), test, describe, settle, module };
})()`

/** The parameters of the function that a test becomes: an answer cannot redefine them. */
export const PARAMETERS = ['assert', 'expect', 'require', 'console', 'test', 'it', 'describe', 'candidate'] as const
