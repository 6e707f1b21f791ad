import { describe, expect, it } from 'vitest'
import { describeError, findProblems } from './page-problems.ts'

const error = (text: string) => ({ kind: 'error' as const, level: 'error' as const, text })

describe('what a preview says about its page', () => {
  it.each([
    ['ReferenceError: PIXI is not defined (line 4)', 'it uses PIXI, which is not defined.'],
    [
      "TypeError: Cannot read properties of null (reading 'addEventListener') (line 12)",
      'it reads “addEventListener” of something that is not there.',
    ],
    ["TypeError: Cannot set properties of undefined (setting 'x')", 'it sets “x” of something that is not there.'],
    ['TypeError: THREE.Geometry is not a constructor (line 9)', 'it calls THREE.Geometry, which is not a constructor.'],
    ['TypeError: items.map is not a function (line 2)', 'it calls items.map, which is not a function.'],
    ["Uncaught SyntaxError: Unexpected token '<' (line 1)", "its code cannot be read: Unexpected token '<'."],
    ['Unhandled rejection: TypeError: Failed to fetch', 'something it waited for failed: TypeError: Failed to fetch.'],
    ['Error: No routes matched (line 40)', 'No routes matched (line 40).'],
    [
      'Error: Minified React error #130; visit https://react.dev/errors/130\nat x',
      'it shows a component that is not defined.',
    ],
    ['Error: done. (line 0)', 'done.'],
    ['', 'it does not say which.'],
  ])('%j: %s', (text, words) => expect(describeError(text)).toBe(words))

  it('is what is wrong with its code, its first error, then what is missing', () => {
    const messages = [
      { kind: 'console' as const, level: 'error' as const, text: 'logged' },
      error('ReferenceError: a is not defined'),
      error('ReferenceError: b is not defined'),
    ]
    const view = { problem: 'The answer ends in the middle of a.js.', missing: ['pixi.js is not available here.'] }
    expect(findProblems(messages, view)).toEqual([
      { kind: 'failure', text: 'The answer ends in the middle of a.js.' },
      { kind: 'failure', text: 'The page has an error: it uses a, which is not defined.' },
      {
        kind: 'missing',
        text: 'pixi.js is not available here. The page is judged by its code. To see all of it, download the project under Code and run it elsewhere.',
      },
    ])
    expect(findProblems([])).toEqual([])
  })

  it('stays short', () => expect(describeError(`Error: ${'x'.repeat(5000)}`).length).toBeLessThan(250))
})
