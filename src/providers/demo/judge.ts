import { faultOf, OWN_WORDS } from './judge-faults.ts'
import { judgePage } from './page-judge.ts'
import { tryControls } from './page-tester.ts'

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

/** A criterion, one on each line (`1. Names the new rent`), is met if the response has most of its words. */
function judgeCriteria(criteria: string, response: string): string {
  const verdicts = criteria.split('\n').flatMap((line) => {
    const [, number, text = ''] = /^(\d+)\. (.*)$/.exec(line) ?? []
    if (number === undefined) return []
    const share = overlap({ task: '', response, reference: text })
    const verdict = share >= 0.5 ? 'met' : share >= 0.25 ? 'partly' : 'not met'
    const reason = `Simulated judge: ${Math.round(100 * share)} % of the criterion's words are in the response.`
    return [{ number: Number(number), reason, verdict }]
  })
  return JSON.stringify({ criteria: verdicts })
}

interface FairGrade {
  /** 0 to 10, not yet rounded. */
  grade: number
  reasoning: string
}

function gradeFairly(parts: JudgedParts): FairGrade {
  if (parts.response === '') return { grade: 0, reasoning: 'there is no response.' }
  if (parts.reference === '') {
    const share = Math.min(1, words(parts.response).size / 20)
    return { grade: 4 + 4 * share, reasoning: 'there is no reference, so the grade depends only on the length.' }
  }
  const share = overlap(parts)
  return { grade: 10 * share, reasoning: `${Math.round(100 * share)} % of the reference's words are in the response.` }
}

/** With the judge's fault, as a whole number that may be beyond 0 to 10. */
function bendGrade(grade: number, response: string, { modelId, draw, place }: Reading): number {
  return Math.round(faultOf(modelId)?.bend(grade, { response, draw, place }) ?? grade)
}

/** How a judge reads one answer. */
interface Reading {
  modelId: string
  /** A number from 0 to 1 for each purpose; the same for the same request. */
  draw: (purpose: string) => number
  /** Where the answer stands in a comparison. */
  place?: 'first' | 'second'
}

function comparePair(first: string, second: string, lines: string[], reading: Reading): string {
  const [task, reference] = [findFenced(lines, 'task') ?? '', findFenced(lines, 'reference') ?? '']
  const gradeAt = (place: 'first' | 'second', answer: string) => {
    const response = answer.trim()
    return bendGrade(gradeFairly({ task, response, reference }).grade, response, { ...reading, place })
  }
  const [a, b] = [gradeAt('first', first), gradeAt('second', second)]
  return JSON.stringify({
    winner: a === b ? 'tie' : a > b ? 'first' : 'second',
    reasoning: `Simulated judge: the first is worth ${a}, the second ${b}.`,
  })
}

/**
 * A simulated judge's reply: an integer grade from word overlap, the better of two answers, a page's grades, or an
 * answer in its own words. The same reply to the same request.
 */
export function judge(prompt: string, modelId: string, draw: Reading['draw']): string {
  const lines = prompt.split('\n')
  const controls = findFenced(lines, 'controls')
  if (controls !== undefined)
    return tryControls({ task: findFenced(lines, 'task') ?? '', controls, done: findFenced(lines, 'done') ?? '' })
  const code = findFenced(lines, 'code')
  if (code !== undefined)
    return judgePage({ code, findings: findFenced(lines, 'findings') ?? '' }, /\bPICTURE \w+: \d+ px wide/.test(prompt))
  const [first, second] = [findFenced(lines, 'first'), findFenced(lines, 'second')]
  if (first !== undefined && second !== undefined) return comparePair(first, second, lines, { modelId, draw })
  const answer = findFenced(lines, 'response') === undefined ? findFenced(lines, 'answer') : undefined
  if (answer !== undefined && /in your own words/.test(lines.at(-1) ?? '')) return `${OWN_WORDS}${answer.trim()}`
  const parts = readParts(prompt)
  const criteria = findFenced(lines, 'criteria')
  if (criteria !== undefined) return judgeCriteria(criteria, parts.response)
  const { grade, reasoning } = gradeFairly(parts)
  const score = Math.min(10, Math.max(0, bendGrade(grade, parts.response, { modelId, draw })))
  return JSON.stringify({ score, reasoning: `Simulated judge: ${reasoning}` })
}
