import type { RunResult } from '../../contract/index.ts'
import type { RankAgreement } from '../../statistics/index.ts'
import type { ComparedPair } from './compare-runs.ts'
import type { PairedSamples } from './pair-samples.ts'
import type { SuiteChanges } from './suite-changes.ts'

/** A pair with the names that tell its sides apart. */
export interface LabelledPair extends ComparedPair {
  labels: readonly [before: string, after: string]
  /** Of imported runs. */
  samples?: PairedSamples
}

/** One of the compared runs or series. */
export interface ReportedSide {
  title: string
  runIds: string[]
  startedAt?: number
  /** The file that it was imported from. */
  file?: string
  models: string[]
}

export function reportSide(
  runs: readonly Pick<RunResult, 'id' | 'startedAt' | 'testSuiteName' | 'versions'>[],
  { suite, models }: { suite: { name: string } | undefined; models: string[] },
): ReportedSide {
  const [first] = runs
  const file = first?.versions?.['importedFile']
  return {
    title: suite?.name ?? first?.testSuiteName ?? `Run ${first?.id ?? ''}`,
    runIds: runs.map(({ id }) => id),
    ...(first?.startedAt !== undefined && { startedAt: first.startedAt }),
    ...(file !== undefined && { file }),
    models,
  }
}

/** Runs against each other. */
export interface ComparisonReport {
  sides: ReportedSide[]
  /** Case by case, if there are two sides. */
  pairs: LabelledPair[]
  suite: SuiteChanges
  /** What else differs between the runs, a sentence each. */
  notes: string[]
  /** If one side compared answers in pairs and the other scored them. */
  agreement?: RankAgreement
}
