import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startScoring } from '../index.ts'

const scoring = startScoring()
const score = (response: string, tests: string | string[], options: Record<string, unknown> = {}) =>
  scoring.scoreResponse(
    {
      prompt: 'Write add(a, b)',
      scoringMethod: 'code-tests',
      language: 'python',
      entryPoint: 'add',
      tests,
      seconds: 5,
      ...options,
    },
    response,
  )
const TESTS = ['assert add(1, 2) == 3', 'assert add(-1, 1) == 0']

describe('Python', { timeout: 900_000 }, () => {
  it('scores the share of separate tests', async () => {
    expect(await score('```python\ndef add(a, b):\n    return a + b\n```', TESTS)).toEqual({
      score: 1,
      notes: '2 of 2 tests passed',
    })
    expect(await score('def add(a, b):\n    return a + 2', TESTS)).toMatchObject({ score: 0.5 })
    expect(await score('I cannot.', TESTS)).toMatchObject({ score: 0 })
  })
  it.each([
    'exit(0)',
    'import os\nos.system("true")\ndef add(a, b): return 0',
    'import sys; sys.exit(0)',
    'raise SystemExit',
    'import os; os._exit(0)',
    'import js; js.process.exit(0)',
    'def add(a, b):\n    while True: pass',
    'x = [0] * (4 * 10**9)',
    'open("/etc/passwd").read()\nadd = 1',
    'class Any:\n    def __eq__(self, other): return True\ndef add(a, b): return Any()',
    'print("2 of 2 tests passed")',
    'exec = eval = lambda *a: None\nBaseException = AssertionError = Exception = int\ndef add(a, b): return 7',
    "add = lambda a, b: 0\n'''",
    'import _pyodide._base as b\nb.eval_code = lambda *a, **k: [True, True]\ndef add(a, b): return 7',
    'from pyodide.code import run_js\nrun_js("process.exit(0)")',
    'import socket\nsocket.create_connection(("127.0.0.1", 80))\ndef add(a, b): return 0',
    'import os\nwhile True: os.fork()',
  ])('gives nothing to %j', async (code) => {
    expect(await score(code, TESTS, { seconds: 1 })).toMatchObject({ score: 0 })
  })
  const file = new URL('../../../../shared/data/datasets/HumanEval.jsonl', import.meta.url)
  it.skipIf(!existsSync(file))('runs HumanEval as bodies and as whole functions (needs the dataset)', async () => {
    for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(0, 4)) {
      const { prompt, entry_point: entryPoint, canonical_solution: solution, test } = JSON.parse(line)
      const run = (response: string) => score(response, test, { prompt, entryPoint })
      expect(await run(solution)).toMatchObject({ score: 1 })
      expect(await run(`\`\`\`python\n${prompt}${solution}\`\`\``)).toMatchObject({ score: 1 })
      expect(await run('    return None')).toMatchObject({ score: 0 })
    }
  })
})
