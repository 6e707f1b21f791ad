import { describe, expect, it } from 'vitest'
import { readIsolateWasm } from './isolate-wasm.ts'
import { startScoring } from './index.ts'
import { runTool } from './isolate.ts'

const wasm = await WebAssembly.compile(readIsolateWasm())
const call = (code: string, world: unknown = {}, { seed = 1, deadlineMs = 5000 } = {}) =>
  runTool(wasm, { code, world, args: {}, seed, now: 0, deadlineMs })

/** What any call can see of the engine that it runs in, and of its own chance. */
const LOOK = `return [
  Object.getOwnPropertyNames(globalThis).sort().join(),
  typeof globalThis.secret, typeof Object.prototype.secret, typeof [].secret, typeof Math.secret,
  String(JSON.stringify), String(Array.prototype.map), String(Promise.prototype.then), String(Date.now),
  RegExp.$1 ?? null, Symbol.for('secret') in globalThis, Math.random(), world,
]`

describe('the code of a tool', () => {
  it.each([
    'globalThis.secret = world; return 1',
    'Object.prototype.secret = 1; Array.prototype.secret = 2; Math.secret = 3; return 1',
    "JSON.stringify = () => '{}'; JSON.parse = () => 1; Promise.prototype.then = () => 1; Array.prototype.map = null; return 1",
    'Math.random = () => 7; Date.now = () => 7; Math.random(); return 1',
    "globalThis[Symbol.for('secret')] = /(s.*)/.exec('secret'); return 1",
    'Object.freeze(Object.prototype); Object.freeze(globalThis.JSON); return 1',
    "Object.defineProperty(Object.prototype, 'reply', { get: () => 'forged', set() {} }); return 1",
    'Promise.resolve().then(function again() { globalThis.secret = 1; if (Math.random() > 0.5) Promise.resolve().then(again) }); return 1',
    'new FinalizationRegistry(() => { globalThis.secret = 1 }).register({}, 1); return 1',
    "Error.prepareStackTrace = () => 'secret'; Error.stackTraceLimit = 1; return 1",
    'world.secret = 1; return world',
    "throw new Error('secret')",
    'return missing',
    'return new Promise(() => {})',
    'this is no code',
    '} globalThis.secret = 1; {',
    'globalThis.done = 7; delete globalThis.console; return 1',
    "globalThis.secret = 'x'.repeat(5e6); return 1",
    "let text = 'x'; for (;;) text += text",
  ])('leaves nothing to the next call: %s', async (code) => {
    const before = await call(LOOK, { own: 1 })
    expect(before).toMatchObject({ reply: expect.anything() })
    await call(code, { secret: 'of another case' })
    expect(await call(LOOK, { own: 1 })).toEqual(before)
  })

  it.each(['const a = {}; a.a = a; return a', 'world.a = world; return 1', 'return 1n'])(
    'says that its reply or its world is no JSON: %s',
    async (code) => {
      expect(await call(code)).toMatchObject({ error: expect.stringMatching(/^what it returns is no JSON: ./) })
    },
  )

  it('that never ends is stopped, and the next call runs', async () => {
    expect(await call('globalThis.secret = 1; for (;;);', {}, { deadlineMs: 50 })).toMatchObject({
      error: 'the tool took longer than 50 ms',
      isFaulty: true,
    })
    expect(await call('return typeof globalThis.secret')).toMatchObject({ reply: 'undefined' })
  })

  it('that recurses without end fails, and the next call runs', async () => {
    const { runToolCode } = startScoring()
    const run = (code: string) => runToolCode!({ code, world: {}, args: {}, seed: 1, now: 0 })
    expect(await run('globalThis.secret = 1; (function deeper() { deeper() })()')).toMatchObject({
      error: expect.stringMatching(/call stack|stack overflow/i),
    })
    expect(await run('return typeof globalThis.secret')).toMatchObject({ reply: 'undefined' })
  })

  it('may have a world of megabytes, and small ones again after it', async () => {
    const world = { texts: Array.from({ length: 2000 }, (_, index) => `${index} `.repeat(300)) }
    const code = 'world.count = world.texts.length; return world.count'
    for (let turn = 0; turn < 3; turn++) expect(await call(code, world)).toMatchObject({ reply: 2000 })
    expect(await call('return world', { small: true })).toMatchObject({ reply: { small: true } })
  })

  it('may be called thousands of times, together or one after another', async () => {
    const code = 'world.count += 1; return world.count + Math.random()'
    const first = await call(code, { count: 0 })
    for (let turn = 0; turn < 1000; turn++) await call(code, { count: turn })
    expect(await call(code, { count: 0 })).toEqual(first)
    const together = await Promise.all([1, 2, 3, 4].map((count) => call('return world', { count })))
    expect(together).toEqual([1, 2, 3, 4].map((count) => ({ world: { count }, reply: { count } })))
  })
})
