import { excerpt } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'

interface NamedRun {
  runId: string
  prompt: string
}

/** About what a row shows before it is cut: prompts that differ earlier need no help. */
const VISIBLE = 36
const HEAD = 22
/** Characters before the difference, so that it reads as a sentence. */
const CONTEXT = 8
const MAX_COMPARED = 20_000

const flatten = (prompt: string) => prompt.slice(0, MAX_COMPARED).replaceAll(/\s+/g, ' ').trim()

function countShared(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** The prompt from shortly before `position` on, after its first words. */
function skipTo(text: string, position: number): string {
  const start = text.lastIndexOf(' ', position - CONTEXT) + 1
  if (start <= VISIBLE) return excerpt(text, 90)
  const headEnd = text.lastIndexOf(' ', HEAD)
  return excerpt(`${text.slice(0, headEnd > 0 ? headEnd : HEAD)} … ${text.slice(start)}`, 90)
}

/** The runs by name: prompts with the same beginning are named by where they differ. */
export function nameApart(runs: readonly NamedRun[]): Map<string, string> {
  const texts = [...new Set(runs.map(({ prompt }) => flatten(prompt)))].toSorted()
  const names = new Map(
    texts.map((text, index) => {
      // In sorted order, the prompt with the longest common beginning is a neighbour.
      const shared = [texts[index - 1], texts[index + 1]].map((other) =>
        other === undefined ? 0 : countShared(text, other),
      )
      return [text, skipTo(text, Math.max(...shared))]
    }),
  )
  return new Map(runs.map(({ runId, prompt }) => [runId, names.get(flatten(prompt))!]))
}

interface TimedRun {
  runId: string
  startedAt: number
}

/** When each run started, with seconds for those that look the same otherwise. */
export function disambiguateTimes<T extends TimedRun>(
  runs: readonly T[],
  describe: (run: T) => string,
): Map<string, string> {
  const keyOf = (run: T) => JSON.stringify([describe(run), formatLocalTime(run.startedAt)])
  const alike = Map.groupBy(runs, keyOf)
  return new Map(
    runs.map((run) => [run.runId, formatLocalTime(run.startedAt, { withSeconds: alike.get(keyOf(run))!.length > 1 })]),
  )
}
