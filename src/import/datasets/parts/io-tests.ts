import { InputError, isRecord } from '../../../contract/index.ts'
import { toStructure, toText, type Row } from '../rows/row.ts'

/** Where APPS, LiveCodeBench and CodeContests keep inputs with the outputs that belong to them. */
const FIELDS = ['inputoutput', 'publictestcases', 'privatetestcases', 'publictests', 'privatetests']

export const hasIoTests = (fields: ReadonlySet<string>): boolean => FIELDS.some((name) => fields.has(name))

interface IoTest {
  input: unknown
  output: unknown
}

function listIoTests(row: Row): IoTest[] {
  return FIELDS.flatMap((name): IoTest[] => {
    const found = toStructure(row.get(name))
    if (Array.isArray(found)) return found.filter(isRecord).map(({ input, output }) => ({ input, output }))
    if (!isRecord(found)) return []
    const inputs = found['inputs'] ?? found['input']
    const outputs = found['outputs'] ?? found['output']
    return Array.isArray(inputs) && Array.isArray(outputs)
      ? inputs.map((input: unknown, index) => ({ input, output: outputs[index] as unknown }))
      : []
  })
}

/** The function that the tests call; none if they give a program its input as text. */
export function findIoFunction(row: Row): string | undefined {
  for (const name of ['metadata', ...FIELDS]) {
    const found = row.structure(name)
    const named: unknown = isRecord(found) ? (found['func_name'] ?? found['fn_name']) : undefined
    if (typeof named === 'string') return named
  }
  return undefined
}

/** One value a line, as JSON; or the values themselves. */
function readArguments(input: unknown): string[] {
  if (Array.isArray(input)) return input.map((value) => JSON.stringify(value))
  return (toText(input) ?? '').split('\n').filter((line) => line.trim() !== '')
}

/** A program in Python that calls the function, of a class Solution or alone, and compares what it returns. */
export function writeIoTests(row: Row, name: string): string {
  const calls = listIoTests(row).map(({ input, output }) => {
    const values = readArguments(input).map((value) => `json.loads(${JSON.stringify(value)})`)
    const expected = typeof output === 'string' ? output : JSON.stringify(output)
    return `_check([${values.join(', ')}], json.loads(${JSON.stringify(expected)}))`
  })
  if (calls.length === 0) throw new InputError('has no tests that can be read')
  const find = `${name} if '${name}' in globals() else Solution().${name}`
  const check = [
    'def _check(values, expected):',
    `    found = (${find})(*values)`,
    '    found = list(found) if isinstance(found, tuple) else found',
    "    assert found == expected or [found] == expected, f'{values} gives {found}, not {expected}'",
  ]
  return ['import json', ...check, ...calls].join('\n')
}
