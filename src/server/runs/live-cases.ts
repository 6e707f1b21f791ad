import type { TestCase, LiveSnapshot } from '../../contract/index.ts'

/** Bytes of ids and titles in one snapshot, and cells, so that it stays under a megabyte whatever the suite. */
const MOST_BYTES = 640_000
const MOST_CELLS = 150_000
const TITLE_LENGTHS = [120, 40, 0]
const BYTES_A_ROW = 17
const BYTES_OF_A_WEIGHT = 34

function textOf({ prompt, messages = [] }: TestCase): string {
  if (prompt !== undefined) return prompt
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)
  if (last === undefined) return ''
  return typeof last.content === 'string'
    ? last.content
    : last.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ')
}

/** One line that tells a case from others: the beginning of its prompt. */
export function titleOf(testCase: TestCase, longest = 120): string {
  if (longest === 0) return ''
  const line = textOf(testCase)
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** JSON writes some characters in six. */
function bytesOf({ id, title, weight }: LiveSnapshot['cases'][number]): number {
  return (
    Buffer.byteLength(JSON.stringify(id)) +
    Buffer.byteLength(JSON.stringify(title)) +
    BYTES_A_ROW +
    (weight === undefined ? 0 : BYTES_OF_A_WEIGHT)
  )
}

/** With shorter titles, or none, when there are very many; the last cases are left out when even that is too much. */
export function listLiveCases(
  testCases: readonly TestCase[],
  models: number,
): { cases: LiveSnapshot['cases']; casesLeftOut: number } {
  const listed = testCases.slice(0, Math.floor(MOST_CELLS / models))
  let cases: LiveSnapshot['cases'] = []
  let end = 0
  for (const longest of TITLE_LENGTHS) {
    cases = listed.map((testCase) => ({
      id: testCase.id,
      title: titleOf(testCase, longest),
      ...(testCase.weight !== 1 && { weight: testCase.weight }),
    }))
    let total = 0
    end = cases.findIndex((one) => (total += bytesOf(one)) > MOST_BYTES)
    if (end < 0) return { cases, casesLeftOut: testCases.length - cases.length }
  }
  return { cases: cases.slice(0, end), casesLeftOut: testCases.length - end }
}
