import { expect, it } from 'vitest'
import { startScoring } from '../index.ts'

/** Python takes seconds to start, on a busy machine many; an answer's own time does not count that. */
const timeout = 300_000

const score = (response: string, tests: string[]) =>
  startScoring().scoreResponse(
    { prompt: 'Write add(a, b)', scoringMethod: 'code-tests', language: 'python', entryPoint: 'add', tests },
    response,
  )

it('Python does not reach the host', { timeout }, async () => {
  const answer = `
def add(a, b):
    from pyodide.code import run_js
    from pyodide.ffi import to_js
    reached = 0
    for reach in (
        lambda: __import__('js').process.pid,
        lambda: __import__('pyodide_js').version,
        lambda: run_js('process.pid'),
        lambda: to_js([1]).constructor.constructor('return process')().pid,
        lambda: open('/proc/self/environ').read(),
    ):
        try:
            reach()
            reached = 3
        except BaseException:
            pass
    return reached
`
  expect(await score(answer, ['assert add(1, 2) == 3', 'assert add(1, 2) == 0'])).toMatchObject({ score: 0.5 })
})

it('an answer in Python cannot forge the outcome of its tests', { timeout }, async () => {
  const answer = `
import _pyodide._base as base
base.eval_code = lambda *given, **named: [True, True]
exec = eval = lambda *given: None
BaseException = AssertionError = Exception = int
def add(a, b):
    return 0
`
  expect(await score(answer, ['assert add(1, 2) == 3', 'assert add(0, 0) == 0'])).toMatchObject({ score: 0.5 })
})
