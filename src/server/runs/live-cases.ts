import { readCluster, type LiveSnapshot, type Suite, type TestCase } from '../../contract/index.ts'
import { describeVariables } from '../../report/words/index.ts'

/** Limits on the ids and titles, and on the cells, that keep a snapshot under a megabyte for any suite. */
const MAX_BYTES = 640_000
const MAX_CELLS = 150_000
const TITLE_LENGTHS = [120, 40, 0]
const BYTES_PER_ROW = 17
const BYTES_PER_WEIGHT = 34
const BYTES_PER_CLUSTER = 11

function textOf({ prompt, messages = [], vars, turns, user }: TestCase): string {
  const spoken = prompt ?? turns?.[0]?.user ?? user?.instructions
  if (spoken !== undefined) return spoken
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)
  if (last === undefined) return describeVariables(vars)
  return typeof last.content === 'string'
    ? last.content
    : last.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ')
}

const MAX_QUESTION = 300

/** What is asked after a long text; undefined if the end asks nothing. */
function lastQuestion(text: string): string | undefined {
  const trimmed = text.trimEnd()
  const at = trimmed.lastIndexOf('\n\n')
  const question = at < 0 ? '' : trimmed.slice(at).trim()
  return question.includes('?') && question.length <= MAX_QUESTION ? question : undefined
}

/** One line that identifies a case: its question or the start of its prompt, or its variables if only the variants have prompts. */
export function titleOf(testCase: TestCase, maxLength = 120): string {
  if (maxLength === 0) return ''
  const text = textOf(testCase)
  const line = (lastQuestion(text) ?? text)
    .slice(0, maxLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}

/** Measured as JSON, which escapes some characters to six bytes. */
function bytesOf({ id, title, weight, cluster }: LiveSnapshot['cases'][number]): number {
  return (
    Buffer.byteLength(JSON.stringify(id)) +
    Buffer.byteLength(JSON.stringify(title)) +
    BYTES_PER_ROW +
    (weight === undefined ? 0 : BYTES_PER_WEIGHT) +
    (cluster === undefined ? 0 : Buffer.byteLength(JSON.stringify(cluster)) + BYTES_PER_CLUSTER)
  )
}

/** Shortens or drops titles if there are very many cases; leaves out the last cases if that is not enough. */
export function listLiveCases(
  { testCases, clusterBy }: Pick<Suite, 'testCases' | 'clusterBy'>,
  models: number,
): { cases: LiveSnapshot['cases']; casesLeftOut: number } {
  const listed = testCases.slice(0, Math.floor(MAX_CELLS / models))
  let cases: LiveSnapshot['cases'] = []
  let end = 0
  for (const titleLength of TITLE_LENGTHS) {
    cases = listed.map((testCase) => {
      const cluster = readCluster(testCase, clusterBy)
      return {
        id: testCase.id,
        title: titleOf(testCase, titleLength),
        ...(testCase.weight !== 1 && { weight: testCase.weight }),
        ...(cluster !== undefined && { cluster }),
      }
    })
    let total = 0
    end = cases.findIndex((listedCase) => (total += bytesOf(listedCase)) > MAX_BYTES)
    if (end < 0) return { cases, casesLeftOut: testCases.length - cases.length }
  }
  return { cases: cases.slice(0, end), casesLeftOut: testCases.length - end }
}
