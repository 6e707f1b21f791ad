import { Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScoring, scoreJob } from '../../../scoring/index.ts'
import { translateJavascript } from './javascript-checks.ts'

const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })

/** promptfoo runs an assertion as the body of a function of output and context; what it throws is a failure. */
function runCode(code: string, output: string, vars: Record<string, unknown>): boolean {
  const body = /^\s*return\b/.test(code) ? code : `return ${code}`
  try {
    const result: unknown = new Script(
      `((output, context) => { ${body} })(${JSON.stringify(output)}, { vars: ${JSON.stringify(vars)} })`,
    ).runInThisContext()
    return typeof result === 'number' ? result > 0 : result === true
  } catch {
    return false
  }
}

const VARS = { a: 'Paris', word: 'kin', n: 3 }

const SAME = [
  "output.includes('Paris')",
  "return output.includes('Paris');",
  "!output.includes('a.b')",
  "output.toLowerCase().includes('kiwi')",
  "output.toLowerCase().includes('i')",
  "output.startsWith('Yes')",
  "output.trim().startsWith('Yes')",
  "output.endsWith('.')",
  "output.trim().endsWith('end')",
  "output === 'Paris'",
  "output.trim() === 'Paris'",
  "'Paris' == output",
  "output.trim().toLowerCase() !== 'paris'",
  'output.length < 5',
  'output.length <= 3 && output.length > 1',
  '5 > output.length',
  'output.length === 3 ? 1 : 0',
  'output.length !== 3',
  'output.trim().length >= 2',
  'output.trim().length < 2',
  'output.trim().length > 0 ? true : false',
  "output.split(' ').length <= 2",
  "output.split(' ').length > 2",
  "output.split('-').length === 2",
  "output.split('\\n').length >= 2",
  'output.split(/\\s+/).length < 3',
  'output.split(/\\s+/).length === 2',
  'output.trim().split(/\\s+/).length <= 2',
  'output.trim().split(/\\s+/).length === 1',
  'output.split(/\\s+/).filter(Boolean).length >= 2',
  'output.split(/\\s+/).filter(Boolean).length === 0',
  "output.includes('a') && (output.includes('b') || !output.includes('c'))",
  "['a', 'b'].some(word => output.includes(word))",
  "['a', 'B'].every((word) => output.toLowerCase().includes(word.toLowerCase()))",
  '/^\\d+$/.test(output)',
  '/^\\d+$/.test(output.trim())',
  '/^[a-z ]*$/.test(output.trim())',
  '/PARIS/i.test(output)',
  '/a|b/g.test(output) && output.length < 4',
  'output.match(/\\d/) !== null',
  "output.indexOf('a') === -1",
  "output.indexOf('a') >= 0",
  'output.includes(context.vars.a)',
  "output.toLowerCase().includes(context.vars['word'])",
  'output.toLowerCase().includes(context.vars.a.toLowerCase())',
  'output.length > context.vars.n',
  "JSON.parse(output).a === 'x'",
  "JSON.parse(output).a.b === 1 && JSON.parse(output)['c'] === null",
  "JSON.parse(output).a.includes('x')",
  'Array.isArray(JSON.parse(output))',
  'Array.isArray(JSON.parse(output).a)',
]

const pieces = fc.constantFrom(
  'Paris',
  'Yes',
  'a.b',
  'a',
  'b',
  'c',
  'end',
  '.',
  '-',
  ' ',
  '  ',
  '\n',
  '\t',
  'KIWI',
  'kiwi',
  '\u212Ain',
  'K\u0130',
  '\u0130',
  'i\u0307',
  '1',
  '22',
  'é',
  '👍',
  '\u00A0',
)
const words = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''))
const json = fc
  .record(
    { a: fc.constantFrom('x', 'xy', 'y', ['x'], ['xy'], { b: 1 }, { b: 2 }, 1, null), c: fc.constantFrom(null, 1) },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value))
const answers = fc.oneof(
  { weight: 4, arbitrary: words },
  fc.string(),
  { weight: 3, arbitrary: json },
  fc.constantFrom('[]', 'null', '"x"', ' [1] '),
)

describe('a line of JavaScript that says no more than a check', () => {
  it.each(SAME)('%s holds for the same answers', async (code) => {
    const check = translateJavascript(code, { variables: VARS, form: 'text' })
    if (!check) throw new Error('it is not translated')
    await fc.assert(
      fc.asyncProperty(answers, async (output) => {
        const { score } = await scoreResponse(check, output)
        expect({ output, holds: score === 1 }).toEqual({ output, holds: runCode(code, output, VARS) })
      }),
      { numRuns: 150 },
    )
  })
  it.each([
    'Math.max(0, 1 - output.length / 900)',
    'output.length / 100',
    "output.includes('a') ? 'pass' : 'fail'",
    "output.includes('a') ? 0.5 : 0",
    "output.toLowerCase().includes('Paris')",
    "output.toLowerCase().includes('é')",
    "output.toUpperCase().includes('A')",
    "output.includes('')",
    'output.includes(context.vars.n)',
    'output.includes(context.vars.none)',
    'output.match(/a/)',
    '/(a)\\1/.test(output) && output.length > 3',
    '/a/y.test(output)',
    "output.trim().includes(' a')",
    "JSON.parse(output).a == 'x'",
    'JSON.parse(output).a > 5',
    "JSON.parse(output).constructor.name === 'Object'",
    'JSON.parse(output).a.length === 3',
    "JSON.parse(output).a === 'x' || output.includes('b')",
    "JSON.parse(output)[0] === 'x'",
    "output.category === 'x'",
    'output',
    "output.includes('a'); fetch('x')",
    "const x = 1; return output.includes('a')",
    "output.includes('a')\n&& true",
    'output.includes(`${context.vars.a}`)',
    "output.replace('a', 'b') === 'b'",
    '',
    '(((',
  ])('%s stays code', (code) => {
    expect(translateJavascript(code, { variables: VARS, form: 'text' })).toBeUndefined()
  })
  it('reads fields of the parsed answer where promptfoo parses it', async () => {
    const check = translateJavascript("output.category === 'billing'", { variables: {}, form: 'json' })
    expect(check).toEqual({
      scoringMethod: 'json-schema',
      onlyJson: true,
      schema: { type: 'object', required: ['category'], properties: { category: { const: 'billing' } } },
    })
    expect(translateJavascript("output.includes('x')", { variables: {}, form: 'json' })).toMatchObject({
      // A list may contain it, and so may a text.
      schema: { anyOf: [{ type: 'array' }, { type: 'string' }] },
    })
    expect(translateJavascript("output.includes('x')", { variables: {}, form: 'unknown' })).toBeUndefined()
  })
})
