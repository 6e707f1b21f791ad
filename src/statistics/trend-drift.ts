import type { RunState, ModelParameters } from '../contract/index.ts'
import { driftTest, type RunOfCases } from './sequential/drift-test.ts'

/** Whether a model's scores on the same cases, with the same settings, changed over time. */
export interface TrendDrift {
  modelId: string
  isDrift: boolean
  /** Right at every look at once: one may look after every run. */
  p: number
  /** Runs that count: completed, with the settings of the latest one. */
  runs: number
  /** Looks: runs that had earlier ones to be compared with. */
  looks: number
  /** Cases with scores before and since. */
  cases: number
  /** Mean score since less mean score before; of a drift that is not shown, at the likeliest moment. */
  difference: number
  /** When the first run with the other scores started; only with a drift. */
  since?: number
}

/** What two runs must have in common for a difference to be the model's. */
export interface ComparedSettings {
  /** A fingerprint of each case, without its metadata. */
  cases: ReadonlyMap<string, number>
  systemPrompt: string
  judgeSystemPrompt: string
  variants: string
  judges: string
  judgePrompt: string
  parameters?: ModelParameters
  endpoint: string
  program: string
  answersOf: string
}

interface DriftRuns {
  state: RunState
  startedAt: number
  settings: ComparedSettings
  answers: readonly ReadonlyMap<string, RunOfCases>[]
}

/** What must be the same, apart from the cases, for a change to be the model's. Another program version may score differently. */
function settingsKey(settings: ComparedSettings): string {
  const { systemPrompt, judgeSystemPrompt, variants, judges, judgePrompt, parameters, endpoint, program } = settings
  return JSON.stringify([
    systemPrompt,
    judgeSystemPrompt,
    variants,
    judges,
    judgePrompt,
    parameters ?? null,
    endpoint,
    program,
  ])
}

/** An edited case is another case. */
function nameCases(run: RunOfCases, { cases }: ComparedSettings): RunOfCases {
  return new Map(Array.from(run, ([id, score]) => [`${cases.get(id) ?? ''} ${id}`, score]))
}

/** Points are given oldest first. The runs of a series count one by one. */
export function findDrift(given: readonly DriftRuns[], models: readonly string[]): TrendDrift[] {
  const usable = given.filter(({ state, settings }) => state === 'done' && settings.answersOf === '')
  return models.flatMap((modelId): TrendDrift[] => {
    const own = usable.filter(({ answers }) => answers.some((run) => run.has(modelId)))
    const last = own.at(-1)
    if (!last) return []
    const same = own.filter(({ settings }) => settingsKey(settings) === settingsKey(last.settings))
    const runs = same.flatMap(({ answers, settings, startedAt }) =>
      answers.flatMap((run) => {
        const scores = run.get(modelId)
        return scores ? [{ startedAt, scores: nameCases(scores, settings) }] : []
      }),
    )
    const { since, ...test } = driftTest(runs.map(({ scores }) => scores))
    if (test.looks === 0) return []
    return [{ modelId, ...test, runs: runs.length, ...(since !== undefined && { since: runs[since]!.startedAt }) }]
  })
}
