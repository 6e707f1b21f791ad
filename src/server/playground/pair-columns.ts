import { pairAnswers, type PairedAnswers } from '../../services/playground/pair-answers.ts'
import { restoreRuns, type Columns, type RunColumns } from '../results/selection/run-columns.ts'

/** A run's contestant before a change, and the run that asked again. */
export interface PairJob {
  before: Columns
  contestant: string
  after: Columns
  isLive: boolean
}

/** The ids of the cases that a run asks. */
export function listAskedCases({ runs, caseIds }: Columns): string[] {
  return Array.from(runs[0]!.asked, (index) => caseIds[index]!)
}

/** Only one contestant's answers to these cases: the run may have a hundred thousand others. */
export function narrowColumns(columns: Columns, contestant: string, caseIds: readonly string[]): Columns {
  const [run] = columns.runs
  const model = columns.modelIds.indexOf(contestant)
  const wanted = new Set(caseIds)
  const isWanted = Uint8Array.from(columns.caseIds, (id) => (wanted.has(id) ? 1 : 0))
  const cells = Uint32Array.from(run!.cases.keys()).filter(
    (cell) => run!.models[cell] === model && isWanted[run!.cases[cell]!] === 1,
  )
  const numbers = (values: Float64Array) => Float64Array.from(cells, (cell) => values[cell]!)
  const bytes = (values: Uint8Array) => Uint8Array.from(cells, (cell) => values[cell]!)
  const indices = (values: Uint32Array) => Uint32Array.from(cells, (cell) => values[cell]!)
  const narrowed: RunColumns = {
    ...run!,
    cases: indices(run!.cases),
    models: indices(run!.models),
    scores: numbers(run!.scores),
    passed: bytes(run!.passed),
    outcomes: bytes(run!.outcomes),
    codes: Uint16Array.from(cells, (cell) => run!.codes[cell]!),
    hasError: bytes(run!.hasError),
    isRated: bytes(run!.isRated),
    latency: numbers(run!.latency),
    firstToken: numbers(run!.firstToken),
    cost: numbers(run!.cost),
    // What each judge said is not compared.
    verdicts: { cells: new Uint32Array(), judges: new Uint16Array(), scores: new Float64Array() },
    ratings: [],
  }
  return { ...columns, runs: [narrowed] }
}

export function pairColumns({ before, contestant, after, isLive }: PairJob): PairedAnswers {
  const [earlier] = restoreRuns(before)
  const [now] = restoreRuns(after)
  return pairAnswers(
    { run: earlier!, contestant },
    { run: now!, contestant: after.modelIds[0] ?? '', caseIds: listAskedCases(after) },
    { isLive },
  )
}
