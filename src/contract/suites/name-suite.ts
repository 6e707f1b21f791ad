import { isRecord } from '../values.ts'

/** `case-3` of the third, or with another number if a case is called that. */
function nameCase(index: number, taken: Set<unknown>): string {
  let id = `case-${index + 1}`
  for (let again = 2; taken.has(id); again++) id = `case-${index + 1}-${again}`
  taken.add(id)
  return id
}

/** A parsed suite with what a file may leave out: its name, and the ids of its cases, which are then counted. */
export function nameSuite(raw: unknown, name: string | undefined): unknown {
  if (!isRecord(raw)) return raw
  const { testCases } = raw
  const isNamed = raw['name'] !== undefined || name === undefined
  const named = isNamed ? raw : { name, ...raw }
  const lacksId = (testCase: unknown) => isRecord(testCase) && testCase['id'] === undefined
  if (!Array.isArray(testCases) || !testCases.some(lacksId)) return named
  const taken = new Set<unknown>(
    testCases.map((testCase: unknown) => (isRecord(testCase) ? testCase['id'] : undefined)),
  )
  return {
    ...named,
    testCases: testCases.map((testCase: unknown, index) =>
      isRecord(testCase) && lacksId(testCase) ? { id: nameCase(index, taken), ...testCase } : testCase,
    ),
  }
}
