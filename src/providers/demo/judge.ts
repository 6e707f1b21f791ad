import { clamp } from '../../contract/index.ts'
import { faultOf, OWN_WORDS } from './judge-faults.ts'

/** The simulated judge grades pages by what it can count in the code and the findings. Deterministic. */

interface PageSigns {
  code: string
  findings: string
}

/** `Errors (3):` in the findings is 3. */
function countFindings(findings: string, heading: string): number {
  return Number(new RegExp(`^${heading} \\((\\d+)\\):`, 'm').exec(findings)?.[1] ?? 0)
}

function shareOfSigns(signs: readonly RegExp[], text: string): number {
  return signs.filter((sign) => sign.test(text)).length / signs.length
}

const STYLE_SIGNS = [
  /<style|className=|\.css|class="/,
  /grid|flex/,
  /border-radius|rounded/,
  /font(?:-family)?:|font-(?:bold|semibold|medium)/,
  /clamp\(|max-width|max-w-/,
  /gap|padding|\bp[xy]?-\d/,
  /var\(--|color-scheme|slate|indigo/,
  /:hover|:focus|transition|shadow/,
]
const ORDER_SIGNS = [
  /lang="\w|export default/,
  /<main|<section|<header|<nav/,
  /aria-|role=|<label/,
  /const |let /,
  /<h1/,
]
const FAULT_SIGNS = [/<font|<center|<table width/i, /onclick="/, /innerHTML = '\$/, /\bvar /, /style="/]
const WIDTH_SIGNS = [
  /name="viewport"|className=/,
  /@media|auto-fit|\b(?:sm|md|lg):|flex-wrap/,
  /clamp\(|min\(|max-width|max-w-|minmax/,
  /^(?![\s\S]*width(?:="|: )\d{3,4})/,
]

function toGrade(value: number): number {
  return Math.round(clamp(value, 0, 100))
}

const GRADERS: Record<string, (signs: PageSigns) => { score: number; reason: string }> = {
  visualAccuracy({ code, findings }) {
    const style = shareOfSigns(STYLE_SIGNS, code)
    return {
      score: toGrade(25 + 70 * style - 15 * countFindings(findings, 'Problems with the code')),
      reason: `${Math.round(style * 8)} of 8 signs of a laid-out page.`,
    }
  },
  codeQuality({ code, findings }) {
    const order = shareOfSigns(ORDER_SIGNS, code)
    const faults = FAULT_SIGNS.filter((sign) => sign.test(code)).length
    const rules = countFindings(findings, 'Accessibility rules broken')
    return {
      score: toGrade(35 + 60 * order - 8 * faults - 4 * rules),
      reason: `${Math.round(order * 5)} of 5 signs of order, ${faults} habits to avoid, ${rules} accessibility rules broken.`,
    }
  },
  functionality({ code, findings }) {
    const errors = countFindings(findings, 'Errors')
    const idle = countFindings(findings, 'Controls without effect')
    const isAlive = /addEventListener|onClick|onclick|@click/.test(code)
    return {
      score: toGrade((isAlive ? 92 : 30) - 25 * errors - 6 * idle),
      reason: `${isAlive ? 'It reacts' : 'Nothing in it reacts'}; ${errors} errors, ${idle} controls without effect.`,
    }
  },
  responsiveness({ code }) {
    const fits = shareOfSigns(WIDTH_SIGNS, code)
    return { score: toGrade(15 + 80 * fits), reason: `${Math.round(fits * 4)} of 4 signs that it fits other widths.` }
  },
}

/** Grades the criteria that the prompt asks for: without screenshots, visual accuracy is not one of them. */
function judgePage(signs: PageSigns, hasPictures: boolean): string {
  const graders = Object.entries(GRADERS).filter(([name]) => hasPictures || name !== 'visualAccuracy')
  return JSON.stringify(
    Object.fromEntries(
      graders.map(([name, gradeCriterion]) => {
        const { score, reason } = gradeCriterion(signs)
        return [name, { score, reason: `Simulated judge: ${reason}` }]
      }),
    ),
  )
}

/** The simulated judge tries a page: it uses the control whose name is most like the task. Deterministic. */

interface Screen {
  task: string
  /** One per line: `3. button "Save"`. */
  controls: string
  /** What it did so far, one step per line. */
  done: string
}

const FIELDS = new Set(['text', 'textarea', 'email', 'search', 'number', 'password', 'tel', 'url', 'date'])

function listWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu) ?? []
}

function writeStep(step: Record<string, unknown>, reason: string): string {
  return JSON.stringify({ ...step, reason: `Simulated judge: ${reason}` })
}

function tryControls({ task, controls, done }: Screen): string {
  const steps = done.split('\n').filter((line) => line.trim() !== '')
  const last = steps.at(-1)
  if (last !== undefined) {
    const hadEffect = !last.includes('(nothing changed)') && !last.includes('no such control')
    return writeStep(
      { action: 'finish', passed: hadEffect },
      hadEffect ? 'the page reacted.' : 'nothing on the page changed.',
    )
  }
  const wanted = new Set(listWords(task))
  const listed = controls.split('\n').flatMap((line) => {
    const [, number, kind, name] = /^(\d+)\. (\S+) "(.*?)"/.exec(line) ?? []
    if (number === undefined || kind === undefined || name === undefined) return []
    return [{ number: Number(number), kind, likeness: listWords(name).filter((word) => wanted.has(word)).length }]
  })
  const [best] = listed.toSorted((a, b) => b.likeness - a.likeness)
  if (!best) return writeStep({ action: 'finish', passed: false }, 'there is nothing to use on the page.')
  return FIELDS.has(best.kind)
    ? writeStep({ action: 'type', control: best.number, text: 'Ada Lovelace' }, 'the field is the most like the task.')
    : writeStep({ action: 'click', control: best.number }, 'its name is the most like the task.')
}

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
