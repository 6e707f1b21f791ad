import {
  stringifyAny,
  type GradedModel,
  type GradeSummary,
  type Loss,
  type TrajectoryGrade,
} from '../../../scoring/tool-calls/index.ts'
import { describeInterval, formatCount, formatScore, formatStatistic } from '../numbers.ts'
import { describeVerdict } from '../verdicts/pairs/pair-verdict.ts'

export const formatPassed = ({ passed, graded }: GradedModel): string => `${passed}/${graded}`

export const formatCalls = (calls: number): string => formatStatistic(calls, 1)

/** How far a model is behind the first, with the interval. */
export function describeBehind({ models, pairs }: GradeSummary, model: string): string {
  const [first] = models
  const pair = pairs.find(({ modelA, modelB }) => modelA === first?.model && modelB === model)
  if (!pair?.paired) return ''
  const { meanDiff, shownInterval } = pair.paired
  return `${formatScore(meanDiff)} (${describeInterval(shownInterval)})`
}

/** `runs · 40 tasks × 2 models · credit effects` */
export function describeGrading(name: string, { tasks, models }: GradeSummary, credit: string): string {
  const count = models.length === 1 ? '' : ` × ${formatCount(models.length, 'model')}`
  return `${name} · ${formatCount(tasks, 'task')}${count} · credit ${credit}`
}

/** The verdict between the first two. */
export function describeGradeVerdict({ models, pairs }: GradeSummary): string | undefined {
  const [first, second] = models
  const pair = pairs.find(({ modelA, modelB }) => modelA === first?.model && modelB === second?.model)
  if (!pair) return undefined
  const { modelA, modelB, paired } = pair
  return describeVerdict({ modelA, modelB, ...(paired && { paired }) })
}

const said = (value: unknown): string => {
  const text = stringifyAny(value) ?? ''
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

function describeArguments(given: unknown): string {
  const values = typeof given === 'object' && given !== null ? Object.values(given) : []
  return values.slice(0, 2).map(said).join(', ') + (values.length > 2 ? ', …' : '')
}

/** `turn 2, missing exchange_item: never called` */
export function describeLoss(loss: Loss, grade: TrajectoryGrade): string {
  return `turn ${loss.turn + 1}, ${loss.kind} ${describeWhat(loss, grade)}`
}

function describeWhat({ kind, name, call }: Loss, { actions }: TrajectoryGrade): string {
  if (kind === 'missing') return `${name}: never called`
  if (kind === 'unsaid') return `${name}: not told the user`
  if (kind === 'end state') return `${name}: not as expected`
  if (kind !== 'differs') return `${name}(${describeArguments(call?.arguments)})`
  const [first] = actions.find((action) => action.call?.index === call?.index)?.differences ?? []
  if (!first) return name
  const values = first.kind === 'changed' ? `expected ${said(first.expected)}, got ${said(first.actual)}` : first.kind
  return `${name}: ${first.path} ${values}`
}

/** How a run ended for its grade, in a word. */
export const describePassed = ({ passed, unscored }: { passed: boolean | null; unscored: string | null }): string =>
  passed === null ? (unscored === null ? '' : 'unscored') : passed ? 'passed' : 'failed'

export const gradeWords = {
  passed: 'Passed',
  failed: 'Failed',
  unscored: 'Unscored',
  excused: 'Not the agent’s fault',
  agents: 'The agent’s fault',
} as const

/** The named settings, as someone chooses them. */
export const gradeNames: readonly (readonly [name: string, label: string])[] = [
  ['effects', 'effects: what was changed and said'],
  ['calls', 'calls: each expected call’s best match'],
  ['tool-call-f1', 'tool-call-f1 (promptfoo)'],
  ['tool-used', 'tool-used (promptfoo)'],
  ['tool-args-match', 'tool-args-match (promptfoo)'],
  ['tool-sequence', 'tool-sequence (promptfoo)'],
  ['tool-sequence-exact', 'tool-sequence, exact (promptfoo)'],
  ['superset', 'superset (agentevals)'],
  ['subset', 'subset (agentevals)'],
  ['unordered', 'unordered (agentevals)'],
  ['strict', 'strict (agentevals)'],
  ['adk', 'adk: exact, turn by turn'],
  ['adk-in-order', 'adk, in order'],
  ['adk-any-order', 'adk, any order'],
  ['tau2', 'tau2: tau2-bench’s action checks'],
]
