import { parseLiteral } from '../datasets/rows/literals.ts'

/** Reads a value that Python printed, `{'query': 'example'}`; anything else stays as it is. */
export function readPythonLiteral(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[(]/.test(value)) return value
  return parseLiteral(value) ?? value
}
