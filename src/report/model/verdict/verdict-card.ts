import {
  isInProgress,
  NO_SCORING,
  type JudgeStanding,
  type RunState,
  type StopReason,
} from '../../../contract/index.ts'
import type { JudgeAgreement, ModelComparison } from '../../../statistics/index.ts'
import { describeDisagreement, describeMissingJudges } from '../../words/judges/judging.ts'
import { describeGains, describeNext } from '../../words/verdicts/next-step.ts'
import { explainStop } from '../../words/runs/stops.ts'
import { findFirstPlace, findPair, findSharedMargin, findVerdictPair } from '../../words/verdicts/first-place.ts'
import { cellCaveats, COMPARING, describeMore, nextSteps, SHARE_CASES } from '../../words/verdicts/verdict-card.ts'
import { listConditions } from '../../words/verdicts/pairs/conditions.ts'
import {
  describeEverythingErrors,
  describeEverythingFailed,
  describeEverythingFails,
  describeSoFar,
  isBroken,
} from '../../words/verdicts/failures/everything-fails.ts'
import { describeAlone } from '../../words/verdicts/lead.ts'
import { describeReadings } from '../../words/verdicts/leaderboard-notes.ts'
import { describeOutcome } from '../../words/verdicts/outcome.ts'
import { capitalise } from '../../words/names.ts'
import type { VerdictState } from '../../words/verdicts/verdict-states.ts'
import { areSame, isGapTooSmall } from '../../words/verdicts/verdicts.ts'
import { describeJudgeNotes } from '../../words/judges/judge-notes.ts'
import { listJudgeNotes, listJudges, type JudgedRun, type JudgeNote } from './judge-notes.ts'
import type { JudgingReport } from './judging.ts'
import type { ReportRow } from '../standings/report-row.ts'
import { findVerdictGap, type VerdictGap } from './verdict-gap.ts'

/** The verdict of a report at a glance, in words that every view uses as they are. */
export interface VerdictCard {
  /** `alone`: only one model has scores. `none`: there are no scores. `pending`: models are still being compared. */
  kind: 'winner' | 'tie' | 'alone' | 'none' | 'pending'
  /** That the judges disagree: read before anything else. */
  disagreement?: string
  state: VerdictState
  /** The outcome in one sentence with its interval. */
  outcome: string
  /** What it rests on, a sentence each. */
  conditions: string[]
  /** What to do next, without saying so first. */
  nextLine: string
  /** Of the two models it is about; absent if there are no such two. */
  gap?: VerdictGap
  /** Of runs that decide: how it was decided, and what that saved. */
  decided?: string[]
  /** What weakens the verdict, most serious first. */
  caveats: VerdictCaveat[]
  next: NextStep
  /** What more cases, runs and judges would gain. */
  gains?: string
}

interface VerdictCaveat {
  kind:
    | 'templates'
    | 'stopped'
    | 'not-run'
    | 'errors'
    | 'unscored'
    | 'scoring'
    | 'judge-is-simulated'
    | 'judge-missing'
    | 'judge-is-contestant'
    | 'judge-calibration'
  text: string
}

interface NextStep {
  kind:
    | 'wait'
    | 'resume'
    | 'retry'
    | 'add-cases'
    | 'choose-gap'
    | 'add-model'
    | 'vote'
    | 'calibrate'
    | 'rescore'
    | 'read-reasons'
    | 'rate'
    | 'score'
    | 'none'
  text: string
  /** Which judge to calibrate first, and with which preset. */
  calibrate?: { judgeModelId: string; preset?: string }
}

/** What the verdict needs to know about a run. */
export interface VerdictRun extends JudgedRun {
  /** `done` by default. */
  state?: RunState
  stopReason?: StopReason
  request?: { maxCost?: number | undefined }
}

interface VerdictInput {
  rows: readonly ReportRow[]
  comparisons: readonly { comparison: ModelComparison }[]
  agreement?: JudgeAgreement
  judging?: Pick<JudgingReport, 'splits' | 'missingJudges' | 'nextStep'> | undefined
  decisions?: { sentences: string[] } | undefined
  templates?: { sentence: string } | undefined
  runs: readonly VerdictRun[]
  /** The last calibration of each judge and prompt that has one, newest first; undefined if that is not known. */
  calibrations?: readonly JudgeStanding[] | undefined
  /** What a resume would do, if the rows do not show it all: a group of cases, runs that have not started. */
  left?: { notRun: number; errors: number } | undefined
  /** Of a series whose runs are all here: how many of it have not begun. */
  runsNotStarted?: number | undefined
  /** Whether people have rated a random sample of the answers; undefined if that is not known. */
  isRated?: boolean | undefined
  /** The comparisons are not ready. */
  isPending?: boolean
}

interface Counts {
  cells: number
  errors: number
  unscored: number
  notRun: number
}

function countCells(rows: readonly ReportRow[]): Counts {
  const counts: Counts = { cells: 0, errors: 0, unscored: 0, notRun: 0 }
  for (const { score, own, errors, unscored, notRun, missing } of rows) {
    // What the suite does not score is nothing to warn about.
    const collected = missing?.reasons[NO_SCORING] ?? 0
    counts.cells += ((own ?? score)?.count ?? 0) + errors + unscored + notRun
    counts.errors += errors
    counts.unscored += unscored - collected
    counts.notRun += notRun
  }
  return counts
}

/** With the cells of runs that have not begun: each would have as many as those that have. */
function withPlanned(counts: Counts, { runs, runsNotStarted = 0 }: VerdictInput): Counts {
  const planned = runs.length === 0 ? 0 : (counts.cells / runs.length) * runsNotStarted
  return { ...counts, cells: counts.cells + planned, notRun: counts.notRun + planned }
}

function listStops({ runs, rows, runsNotStarted = 0 }: VerdictInput): VerdictCaveat[] {
  const unasked = rows.filter(({ notRun }) => notRun > 0).map(({ modelId }) => modelId)
  const refusedModels = unasked.length < rows.length ? unasked : []
  const sentences = runs.flatMap(({ state = 'done', request, ...run }) => {
    if (run.stopReason === 'decided') return []
    const stop = explainStop({ state, ...run, maxCost: request?.maxCost, refusedModels })
    return stop ? [stop.sentence] : []
  })
  const planned = runs.length + runsNotStarted
  return Array.from(
    Map.groupBy(sentences, (sentence) => sentence),
    ([sentence, { length }]) => ({
      kind: 'stopped',
      text: planned === 1 ? sentence : `${length} of ${planned} runs: ${sentence}`,
    }),
  )
}

function listCellCaveats({ cells, errors, unscored, notRun }: Counts, isLive: boolean): VerdictCaveat[] {
  return [
    ...(notRun > 0 && !isLive ? [{ kind: 'not-run' as const, text: cellCaveats.notRun(notRun, cells) }] : []),
    ...(errors > 0 ? [{ kind: 'errors' as const, text: cellCaveats.errors(errors, cells) }] : []),
    ...(unscored > 0 ? [{ kind: 'unscored' as const, text: cellCaveats.unscored(unscored, cells) }] : []),
  ]
}

interface Judging {
  judges: string[]
  notes: JudgeNote[]
}

function examineJudges({ rows, runs, calibrations }: VerdictInput): Judging {
  const models = rows.map(({ modelId }) => modelId)
  return { judges: listJudges(runs), notes: listJudgeNotes(runs, { models, calibrations }) }
}

const isOfContestant = ({ reason }: JudgeNote) => reason === 'is-contestant' || reason === 'is-related'

function listJudgeCaveats({ judging }: VerdictInput, { notes }: Judging): VerdictCaveat[] {
  const caveats = (kind: VerdictCaveat['kind'], texts: string[]) => texts.map((text) => ({ kind, text }))
  const isSimulated = ({ reason }: JudgeNote) => reason === 'is-simulated'
  return [
    ...caveats('judge-is-simulated', describeJudgeNotes(notes.filter(isSimulated))),
    ...caveats('judge-missing', describeMissingJudges(judging?.missingJudges ?? [])),
    ...caveats('judge-is-contestant', describeJudgeNotes(notes.filter(isOfContestant))),
    ...caveats(
      'judge-calibration',
      describeJudgeNotes(notes.filter((note) => !isSimulated(note) && !isOfContestant(note))),
    ),
  ]
}

function chooseNext(
  { rows, agreement, runs, left, isRated }: VerdictInput,
  {
    counts,
    judging,
    pair,
    kind,
  }: { counts: Counts; judging: Judging; pair: ModelComparison | undefined; kind: VerdictCard['kind'] },
): NextStep {
  const { notRun, errors } = left ?? counts
  if (runs.some(({ state = 'done' }) => isInProgress(state))) return { kind: 'wait', text: nextSteps.wait(notRun) }
  // Neither what is left nor the few that failed would make the others pass.
  if (describeEverythingFails(rows) !== undefined) return { kind: 'rescore', text: nextSteps.mend }
  if (notRun > 0) return { kind: 'resume', text: nextSteps.resume(notRun, errors) }
  if (errors > 0) return { kind: 'retry', text: nextSteps.retry(errors) }
  const waiting = rows.reduce((sum, { missing }) => sum + (missing?.reasons['not-judged'] ?? 0), 0)
  if (waiting > 0) return { kind: 'vote', text: nextSteps.vote(waiting) }
  if (kind === 'none') return { kind: 'score', text: nextSteps.score }
  if (judging.notes.some(({ reason }) => reason === 'is-simulated')) return { kind: 'rescore', text: nextSteps.rescore }
  if (agreement && agreement.alpha < 0.667) return { kind: 'read-reasons', text: nextSteps.readReasons }
  const ruledOut = pair?.paired?.plan?.isRuledOut ? pair.paired : undefined
  if (kind === 'tie' && !ruledOut)
    return {
      kind: pair?.paired?.plan && isGapTooSmall(pair.paired.plan) ? 'choose-gap' : 'add-cases',
      text: pair?.paired ? describeMore(pair.paired) : SHARE_CASES,
    }
  const doubtful = judging.notes.filter(({ reason, canCalibrate }) => canCalibrate && reason !== 'fair')
  const names = [...new Set(doubtful.map(({ judgeModelId }) => judgeModelId))]
  if (doubtful[0]) {
    const { judgeModelId, preset } = doubtful[0]
    const calibrate = { judgeModelId, ...(preset !== undefined && { preset }) }
    return { kind: 'calibrate', text: nextSteps.calibrate(names), calibrate }
  }
  if (kind === 'alone') return { kind: 'add-model', text: nextSteps.compare }
  if (judging.judges.length > 0 && isRated === false) return { kind: 'rate', text: nextSteps.rate(judging.judges) }
  return { kind: 'none', text: ruledOut ? describeMore(ruledOut) : nextSteps.none }
}

interface StateFacts {
  kind: VerdictCard['kind']
  isLive: boolean
  counts: Counts
  rows: readonly ReportRow[]
  contenders: readonly ReportRow[]
  comparisons: readonly ModelComparison[]
}

function findState({ kind, isLive, rows, contenders, comparisons }: StateFacts): VerdictState {
  if (isLive) return 'running'
  if (isBroken(rows)) return 'broken'
  if (kind === 'none' || kind === 'alone' || kind === 'pending') return kind
  if (kind === 'winner') return 'decided'
  const names = contenders.map(({ modelId }) => modelId)
  const pair = names.length === 2 ? findPair(names[0]!, names[1]!, comparisons)?.paired : undefined
  return (pair && areSame(pair)) || findSharedMargin(names, comparisons) !== undefined ? 'same' : 'undecided'
}

function chooseOutcome(state: VerdictState, { counts, rows, comparisons }: StateFacts): string {
  const done = counts.cells - counts.notRun
  if (state === 'running') return describeSoFar(done, counts.cells)
  if (state === 'broken' && counts.errors === counts.cells) return describeEverythingErrors(counts.errors)
  if (state === 'pending') return COMPARING
  return describeEverythingFailed(rows) ?? describeAlone(rows) ?? describeOutcome(rows, comparisons)
}

/** The step without the word that every view puts before it. */
const dropNext = (text: string) => capitalise(text.replace(/^Next: /, ''))

/** The verdict of a report: who wins or that nobody does yet, by how much, what weakens it and what to do next. */
export function buildVerdictCard(input: VerdictInput): VerdictCard {
  const { rows, runs, decisions, templates, isPending = false } = input
  const comparisons = input.comparisons.map(({ comparison }) => comparison)
  const scored = rows.filter(({ score }) => score)
  const place = findFirstPlace(rows, comparisons)
  const kind: VerdictCard['kind'] =
    scored.length === 0
      ? 'none'
      : scored.length === 1
        ? 'alone'
        : isPending
          ? 'pending'
          : place.isWon
            ? 'winner'
            : 'tie'
  const shown =
    kind === 'tie' ? place.contenders : [...new Set([...(place.leader ? [place.leader] : []), ...scored])].slice(0, 2)
  const [first, second] = shown
  const pair = first && second && findPair(first.modelId, second.modelId, comparisons)
  const undecided = shown
    .slice(1)
    .map((other) => findPair(first!.modelId, other.modelId, comparisons))
    .find((other) => other?.paired?.plan?.isRuledOut === false)
  const all = countCells(rows)
  // What was left out by decision is neither missing nor left to ask.
  const counts = runs.every(({ stopReason }) => stopReason === 'decided') ? { ...all, notRun: 0 } : all
  const judging = examineJudges(input)
  const isLive = runs.some(({ state = 'done' }) => isInProgress(state))
  const disagreement = describeDisagreement(input.agreement, input.judging?.splits)
  const stateFacts = { kind, isLive, counts, rows, contenders: place.contenders, comparisons }
  const state = findState(stateFacts)
  const gap = isPending || isLive || state === 'broken' ? undefined : findVerdictGap(rows, comparisons)
  const planned = withPlanned(counts, input)
  const next = chooseNext(input, { counts: planned, judging, pair: undecided ?? pair, kind })
  const nextLine =
    next.kind === 'add-cases' || next.kind === 'choose-gap' || (next.kind === 'none' && !isPending)
      ? describeNext({ rows, comparisons: input.comparisons, judging: input.judging ?? {} })
      : undefined
  const nextStep = kind === 'winner' || isLive || isPending ? undefined : input.judging?.nextStep
  return {
    kind,
    ...(disagreement !== undefined && { disagreement }),
    state,
    outcome: chooseOutcome(state, stateFacts),
    conditions: listConditions(findVerdictPair(rows, comparisons)),
    nextLine: dropNext(nextLine ?? next.text),
    ...(gap && { gap }),
    ...(decisions && { decided: decisions.sentences }),
    caveats: [
      ...listStops(input),
      // While a run goes on, it would come and go with every answer.
      ...(templates && !isLive ? [{ kind: 'templates' as const, text: templates.sentence }] : []),
      ...listCellCaveats(planned, isLive),
      ...[describeReadings(rows)].flatMap((text) => (text === undefined ? [] : { kind: 'scoring' as const, text })),
      ...listJudgeCaveats(input, judging),
    ],
    next,
    ...(nextStep && { gains: describeGains(nextStep) }),
  }
}
