import { judgePage } from './page-judge.ts'
import { tryControls } from './page-tester.ts'
import { judgePair } from './pairwise-judge.ts'
import { judgeCriteria } from './rubric-judge.ts'

/** The parts of a judge's prompt, found by fences (`<<<RESPONSE mark>>>` to `<<<END RESPONSE mark>>>`) or headings. */
interface JudgedParts {
  task: string
  response: string
  reference: string
}

const NAMES: [part: keyof JudgedParts, pattern: string][] = [
  ['task', 'task|question|prompt'],
  ['response', 'response|answer|candidate|submission'],
  ['reference', 'reference|expected(?: output| answer)?|gold'],
]

/** A line with a part's name and a mark (`<<<RESPONSE k3x9>>>`) opens it; the next line with that mark closes it. */
function findFenced(lines: string[], pattern: string): string | undefined {
  const opening = new RegExp(`^[<=~\\[-]{2,}\\s*(?:begin )?(?:${pattern})\\W+([\\w-]+)\\W*$`, 'i')
  const start = lines.findIndex((line) => opening.test(line))
  const mark = lines[start]?.match(opening)?.[1]
  if (mark === undefined) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.includes(mark))
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
}

/** `## Response`, `**Response:** …` or `Response: …`, up to the next such line. */
function findHeaded(lines: string[], pattern: string): string | undefined {
  const heading = (names: string): RegExp => new RegExp(`^[#*<\\s]*(?:the )?(?:${names})\\s*(?:$|[:>*]+(.*)$)`, 'i')
  const anyHeading = heading(NAMES.map(([, names]) => names).join('|'))
  const start = lines.findIndex((line) => heading(pattern).test(line))
  if (start < 0) return undefined
  const length = lines.slice(start + 1).findIndex((line) => anyHeading.test(line))
  const rest = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length)
  return [lines[start]!.match(heading(pattern))?.[1] ?? '', ...rest].join('\n')
}

function readParts(prompt: string): JudgedParts {
  const lines = prompt.split('\n')
  const parts: JudgedParts = { task: '', response: '', reference: '' }
  for (const [part, pattern] of NAMES)
    parts[part] = (findFenced(lines, pattern) ?? findHeaded(lines, pattern) ?? '').trim()
  return parts
}

const SMALL_WORDS = new Set(
  'a an and are as at be by for from in is it its of on or so that the this to was which with'.split(' '),
)

function words(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? []
  return new Set(found.filter((word) => !SMALL_WORDS.has(word)))
}

/** The fraction of the reference's words in the response; words that also occur in the task count little. */
function overlap({ task, response, reference }: JudgedParts): number {
  const taskWords = words(task)
  const responseWords = words(response)
  let total = 0
  let hit = 0
  for (const word of words(reference)) {
    const weight = taskWords.has(word) ? 0.2 : 1
    total += weight
    if (responseWords.has(word)) hit += weight
  }
  return total === 0 ? 0 : hit / total
}

/** The simulated judge's reply: an integer grade from word overlap, or a page's grades. Deterministic. */
export function judge(prompt: string): string {
  const lines = prompt.split('\n')
  const controls = findFenced(lines, 'controls')
  if (controls !== undefined)
    return tryControls({ task: findFenced(lines, 'task') ?? '', controls, done: findFenced(lines, 'done') ?? '' })
  const code = findFenced(lines, 'code')
  if (code !== undefined)
    return judgePage({ code, findings: findFenced(lines, 'findings') ?? '' }, /\bPICTURE \w+: \d+ px wide/.test(prompt))
  const parts = readParts(prompt)
  const criteria = findFenced(lines, 'criteria')
  if (criteria !== undefined)
    return judgeCriteria({ response: parts.response, criteria }, (text, response) =>
      overlap({ task: '', response, reference: text }),
    )
  const [first, second] = [findFenced(lines, 'first'), findFenced(lines, 'second')]
  if (first !== undefined && second !== undefined)
    return judgePair({ first, second }, (response) =>
      parts.reference === '' ? Math.min(1, words(response).size / 20) : overlap({ ...parts, response }),
    )
  const grade = (score: number, reasoning: string): string =>
    JSON.stringify({ score, reasoning: `Simulated judge: ${reasoning}` })
  if (parts.response === '') return grade(0, 'there is no response.')
  if (parts.reference === '') {
    const share = Math.min(1, words(parts.response).size / 20)
    return grade(Math.round(4 + 4 * share), 'there is no reference, so the grade depends only on the length.')
  }
  const share = overlap(parts)
  return grade(Math.round(10 * share), `${Math.round(100 * share)} % of the reference's words are in the response.`)
}
