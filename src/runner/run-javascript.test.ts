import { describe, expect, it } from 'vitest'
import { codeScorers } from '../scoring/index.ts'
import { startScoring } from './index.ts'

const scoring = startScoring([], { allowCode: true })
const score = (code: string, response = 'Hello', options: Record<string, unknown> = {}) =>
  scoring.scoreResponse(
    { prompt: 'Greet', scoringMethod: 'javascript', code, vars: { name: 'Bo' }, ...options },
    response,
  )

describe('code of a suite', () => {
  it.each<[string, number]>([
    ["output.startsWith('Hell')", 1],
    ['output.length > 10;', 0],
    ['output.length / 10', 0.5],
    ['{ pass: true, reason: "ok" }', 1],
    ['({ pass: false, score: 0.3, reason: "meh" })', 0.3],
    ["const s = output; s === 'a;b' || s.length === 5", 1],
    ["const ok = output === 'Hello'\nreturn ok ? 0.25 : 0", 0.25],
    ['if (output.includes("x")) {\n  return 1\n}\nreturn false', 0],
    ["context.vars.name === 'Bo' && context.prompt === 'Greet' && context.test.vars.name === 'Bo'", 1],
    ["context.config.word === 'Hello'", 1],
    ['Promise.resolve(true)', 1],
    ['module.exports = (output, context) => output.length === 5', 1],
    ['const helper = (text) => text.length\nexport default function (output) {\n  return helper(output) > 3\n}', 1],
    ['console.log(output)\nreturn true', 1],
    ['output.length', 1],
    ['-3', 0],
  ])('%j scores %d', async (code, expected) => {
    expect(await score(code, 'Hello', { config: { word: 'Hello' } })).toMatchObject({ score: expected })
  })
  it('calls the named export', async () => {
    const code = 'module.exports = { short: (output) => output.length < 6, long: (output) => output.length > 6 }'
    expect(await score(code, 'Hello', { functionName: 'short' })).toMatchObject({ score: 1 })
    expect(await score(code, 'Hello', { functionName: 'long' })).toMatchObject({ score: 0 })
  })
  it('that throws on an answer scores it 0, with the reason', async () => {
    expect(await score('JSON.parse(output).ok')).toEqual({
      score: 0,
      notes: expect.stringMatching(/^the code threw SyntaxError: unexpected token/),
    })
    expect(await score('output.a.b')).toMatchObject({ score: 0, notes: expect.stringMatching(/TypeError/) })
  })
  it.each<[string, string, RegExp]>([
    ['output.length >', 'invalid-options', /the code cannot be read/],
    ["require('fs').existsSync('/')", 'scoring-failed', /require is not defined/],
    ['process.exit(0)', 'scoring-failed', /process is not defined/],
    ["'text'", 'scoring-failed', /it must return true, false, a number/],
    ['undefined', 'scoring-failed', /it must return/],
    ['new Promise(() => {})', 'scoring-failed', /waits for something that never comes/],
    ['(() => { while (true); })()', 'scoring-timeout', /stopped after 100 ms/],
    ['(async () => { for (;;) await null })()', 'scoring-timeout', /stopped after 100 ms/],
  ])('%j leaves the answer unscored', async (code, errorCode, message) => {
    await expect(score(code, 'Hello', { deadlineMs: 100 })).rejects.toMatchObject({
      code: errorCode,
      message: expect.stringMatching(message),
    })
  })
  // Ways out of a context of Node's `vm` and of other boundaries inside one engine.
  it.each([
    "this.constructor.constructor('return process')()",
    "globalThis.constructor.constructor('return process')()",
    "output.constructor.constructor('return process')()",
    "context.constructor.constructor('return process')()",
    "(async () => {}).constructor('return process')()",
    "(function* () {}).constructor('yield process')().next().value",
    "Object.getPrototypeOf(context).constructor.constructor('return process')()",
    "(() => { try { null.x } catch (error) { return error.constructor.constructor('return process')() } })()",
    "eval('process')",
    'globalThis.process',
    "import('node:fs')",
    "import('x').catch((error) => error.constructor.constructor('return process')())",
    "import('x').catch((error) => error.constructor.constructor('return process')().getBuiltinModule('child_process').execSync('id'))",
    "(() => { let error; const deeper = () => { try { deeper() } catch (thrown) { error = thrown } }; deeper(); return error.constructor.constructor('return process')() })()",
    "(() => { let frames; Error.prepareStackTrace = (_, stack) => { frames = stack }; void new Error().stack; return frames.map((frame) => frame.getThis?.() ?? frame.getFunction?.()).find(Boolean).constructor.constructor('return process')() })()",
    "(() => { const called = () => called.caller; return called().constructor('return process')() })()",
    "(async function* () {})().throw(new Error()).catch((error) => error.constructor.constructor('return process')())",
    "Promise.reject(new Error()).catch((error) => error.constructor.constructor('return process')())",
    "fetch('http://127.0.0.1:1/')",
    'WebAssembly',
    "require('node:child_process')",
    'new Worker("data:text/javascript,1")',
    'std.getenv("HOME") + os.getcwd()',
    'Intl',
  ])('cannot reach Node: %s', async (code) => {
    const kind = `(async () => typeof (await (${code})))().then((kind) => kind !== 'object' && kind !== 'string', () => true)`
    expect(await score(kind)).toMatchObject({ score: 1 })
  })
  it('cannot change what another answer gets, nor forge it from its own prototypes', async () => {
    const code = `Object.prototype.value = 0; Array.prototype.map = () => 'forged'; JSON.stringify = () => '{"value": true}'
Promise.prototype.then = () => 'forged'
return 0.25`
    expect(await score(code)).toMatchObject({ score: 0.25 })
    expect(await score('[1].map((one) => one)[0] === 1')).toMatchObject({ score: 1 })
  })
  it.each<[string, RegExp]>([
    ["let text = 'x'; for (;;) text += text", /out of memory|invalid string length|string too long/i],
    ['const all = []\nfor (;;) all.push(new Array(1000).fill(1.5))', /out of memory/i],
    ['const all = []\nfor (;;) all.push(new Uint8Array(50e6).fill(1))', /out of memory|invalid array buffer length/i],
    ['3n ** 5000000n > 1n', /too large/],
    ['(function deeper() { deeper() })()', /call stack|stack overflow/i],
    ['let all = []\nfor (let depth = 0; depth < 1e6; depth++) all = [all]\nreturn JSON.stringify(all).length', /./],
  ])('that takes too much is stopped and leaves the answer unscored: %j', async (code, message) => {
    const before = process.memoryUsage().rss
    await expect(score(code, 'Hello', { deadlineMs: 10_000 })).rejects.toMatchObject({
      code: 'scoring-failed',
      message: expect.stringMatching(message),
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(600e6)
    expect(await score('true')).toMatchObject({ score: 1 })
  })
  it('has 128 MB', async () => {
    expect(await score('new Uint8Array(100 * 2 ** 20).length > 0')).toMatchObject({ score: 1 })
    await expect(score('new Uint8Array(130 * 2 ** 20).length > 0')).rejects.toMatchObject({ code: 'scoring-failed' })
  })
  it.each([
    'for (;;) {\n  try { for (;;); } catch {}\n}',
    'try { for (;;); }\nfinally { for (;;); }',
    "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    'new Promise(() => { const again = () => Promise.resolve().then(again); again() })',
    'let big = 3n\nfor (;;) big = (big * big) % (7n ** 999n)',
    'const all = Array.from({ length: 3e5 }, (_, index) => (index * 7919) % 3000017); for (let turn = 0; turn < 500; turn++) all.sort(() => 0.5 - Math.random()); return 1',
  ])('that never ends is stopped: %s', async (code) => {
    await expect(score(code, 'Hello', { deadlineMs: 200 })).rejects.toMatchObject({ code: 'scoring-timeout' })
    expect(await score('true')).toMatchObject({ score: 1 })
  })
  it('of one answer sees nothing of another', async () => {
    expect(await score('(globalThis.secret = output, true)', 'first')).toMatchObject({ score: 1 })
    expect(await score("typeof globalThis.secret === 'undefined'", 'second')).toMatchObject({ score: 1 })
  })
  it('gets tool calls in OpenAI’s form if there is no text', async () => {
    const testCase = {
      prompt: '?',
      scoringMethod: 'javascript',
      code: "output[0].function.name === 'f' && JSON.parse(output[0].function.arguments).a === 1",
    }
    const answer = { response: '', toolCalls: [{ name: 'f', arguments: { a: 1 } }] }
    expect(await scoring.scoreResponse(testCase, answer)).toMatchObject({ score: 1 })
  })
  it('can change the output before another method scores it', async () => {
    const testCase = {
      prompt: '?',
      scoringMethod: 'javascript',
      transform: ['JSON.parse(output)', 'output.name.toLowerCase()'],
      check: { scoringMethod: 'exact-match', expectedOutput: 'ada', partial: false },
    }
    expect(await scoring.scoreResponse(testCase, '{"name": "ADA"}')).toMatchObject({ score: 1 })
    expect(await scoring.scoreResponse(testCase, '{"name": "Bob"}')).toMatchObject({ score: 0 })
    expect(await scoring.scoreResponse(testCase, 'no JSON')).toMatchObject({ score: 0 })
  })
  it('is negated', async () => {
    expect(await score('output.length / 10', 'Hello World', { negate: true })).toMatchObject({ score: 0 })
    expect(await score("output.includes('x')", 'Hello', { negate: true })).toMatchObject({ score: 1 })
  })
})

describe('where code is not allowed', () => {
  it('the method does not exist, and says how to allow it', async () => {
    const careful = startScoring()
    expect(careful.scorers).not.toContain(codeScorers[0])
    await expect(
      careful.scoreResponse({ prompt: '?', scoringMethod: 'javascript', code: 'true' }, 'x'),
    ).rejects.toThrow(/--allow-code/)
  })
})
