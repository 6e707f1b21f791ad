import { describe, expect, it } from 'vitest'
import { startScoring } from '../index.ts'

const scoring = startScoring()

type Fields = Record<string, unknown>

const score = (response: string, tests: string | string[], options: Fields = {}) =>
  scoring.scoreResponse(
    {
      prompt: 'Write add(a, b)',
      scoringMethod: 'code-tests',
      language: 'javascript',
      entryPoint: 'add',
      tests,
      ...options,
    },
    response,
  )

const fence = (code: string, name = 'js') => `Here it is:\n\n\`\`\`${name}\n${code}\n\`\`\`\n\nIt adds.`
const TESTS = ['assert.equal(add(1, 2), 3)', 'assert.equal(add(-1, 1), 0)']

describe('JavaScript and TypeScript', () => {
  it.each([
    'function add(a, b) { return a + b }',
    'const add = (a, b) => a + b',
    fence('function add(a, b) { return a + b }'),
    fence('export function add(a, b) { return a + b }'),
    fence('export default function add(a, b) { return a + b }'),
    fence('module.exports = (a, b) => a + b'),
    fence('function add(a, b) { return a + b }\nmodule.exports = { add }'),
    `${fence('add(1, 2)', 'bash')}${fence('const add = (a, b) => a + b', '')}`,
    `${fence('const add = () => 0')}\nBetter:\n${fence('const add = (a, b) => a + b')}\nUse it:\n${fence('console.log(add(1, 2))')}`,
    '<think>```js\nconst add = 1\n```</think>```javascript\nclass X {}\nfunction add(a, b) { return a + b }',
  ])('passes %j', async (response) =>
    expect(await score(response, TESTS)).toMatchObject({ score: 1, notes: '2 of 2 tests passed' }),
  )

  it.each<[string, string, number]>([
    ['assert(add(1, 2) === 3)', '', 1],
    ['console.assert(add(1, 2) === 3)', '', 1],
    ['console.assert(add(1, 2) === 4)', '', 0],
    ['expect(add(1, 2)).toBe(3)', '', 1],
    ['expect(add(1, 2)).not.toBe(3)', '', 0],
    ['expect([add(1, 2)]).toEqual([3])', '', 1],
    ['expect({ a: add(1, 2) }).toEqual({ a: 4 })', '', 0],
    ['test("adds", () => { expect(add(1, 2)).toBe(3) })', '', 1],
    ['describe("add", () => { it("adds", async () => { expect(await add(1, 2)).toBe(4) }) })', '', 0],
    [
      "const assert = require('node:assert');\nfunction test() { let candidate = add; assert.deepEqual(candidate(1, 2), 3) }\ntest()",
      '',
      1,
    ],
    ['if (candidate(1, 2) !== 3) throw new Error("no")', '', 1],
    ['assert.throws(() => add())', '', 0],
    ['assert.deepStrictEqual(new Map([[1, add(1, 1)]]), new Map([[1, 2]]))', '', 1],
    ['assert.deepEqual([1, 2], [2, 1])', '', 0],
    ['await Promise.resolve(); assert(add(1, 1) === 3)', '', 0],
  ])('%j', async (test, _name, expected) => {
    expect(await score('function add(a, b) { return a + b }', test)).toMatchObject({ score: expected })
  })

  it('scores the share of separate tests, and says why one failed', async () => {
    expect(await score('const add = (a, b) => a - b', ['assert.equal(add(1, 0), 1)', ...TESTS])).toEqual({
      score: 1 / 3,
      notes: '1 of 3 tests passed; test 2: expected 3, got -1',
    })
    expect(await score('const sum = 1', TESTS)).toMatchObject({
      score: 0,
      notes: expect.stringContaining('does not define add'),
    })
    expect(await score('I cannot do that.', TESTS)).toMatchObject({ score: 0 })
    expect(await score('', TESTS)).toMatchObject({ score: 0 })
  })
  it('reads TypeScript', async () => {
    const code = fence(
      'enum Sign { Plus = 1 }\nexport function add(a: number, b: number): number { return a + b * Sign.Plus }',
      'ts',
    )
    const tests = ['const sum: number = add(1, 2); assert.equal(sum, 3)']
    expect(await score(code, tests, { language: 'typescript' })).toMatchObject({ score: 1 })
    expect(await score(fence('function add(a: number {', 'ts'), tests, { language: 'typescript' })).toMatchObject({
      score: 0,
    })
  })
  it.each([
    'globalThis.assert = () => {}; function add() {}',
    'assert = { equal() {} }; var add = () => 0',
    'var assert = { equal() {} }; var add = () => 0',
    'require("assert").equal = () => {}; var add = () => 0',
    'var add = () => 0; console.log("2 of 2 tests passed"); throw 0',
    'var add = () => 0; Object.is = () => true; Reflect.apply = () => true; JSON.stringify = () => "1"',
    'var add = () => ({ valueOf: () => "3" })',
    'var add = () => { throw undefined }',
    'var add = async () => 3',
    'Promise.prototype.then = (ok) => ok(); Function.prototype.call = () => {}; var add = () => 0',
    'var add = () => { for (;;); }',
    'for (;;);\nvar add = 1',
    'var add = () => add()',
    'var add = () => { const all = []; for (;;) all.push(new Array(1e5).fill(1)) }',
    'Object.defineProperty(Object.prototype, "then", { get() { return undefined } }); var add = () => 0',
    'Error.prototype.name = "x"; var add = () => 0',
    'var add = () => new Proxy({}, { get: () => () => "3" })',
    'import("node:fs").then(() => {}); var add = () => 0',
    '}); (async function () { {',
  ])('gives nothing to %j', async (code) => {
    const tests = [
      'assert.strictEqual(add(1, 2), 3)',
      'if (JSON.stringify([add(1, 2)]) !== "[3]") throw new Error("no")',
    ]
    expect(await score(code, tests, { seconds: 0.2 })).toMatchObject({ score: 0 })
    expect(await score('var add = (a, b) => a + b', tests)).toMatchObject({ score: 1 })
  })
  it('leaves unscored what says nothing about the answer', async () => {
    await expect(score('var add = 1', 'assert.equal(add(')).rejects.toMatchObject({ code: 'invalid-options' })
    await expect(score('var add = (a, b) => { process.exit(0) }', TESTS)).rejects.toMatchObject({
      code: 'scoring-failed',
      message: expect.stringContaining('needs process'),
    })
  })
})
