import type { RunResult, ScoreTable } from '../../../contract/index.ts'
import { buildGroups, type ChosenGroups } from '../../../report/model/standings/groups.ts'
import type { GroupedStandings } from '../../../report/model/standings/grouped-standings.ts'
import { compareWithReference, type AgainstReference, type Reference } from '../../../report/model/verdict/reference.ts'
import type { Report } from '../../../report/model/report.ts'
import type { ReportOptions } from '../../../report/model/standings/standings.ts'
import type { ReportFigures } from '../../../report/model/summary.ts'
import type { SharingOptions } from '../../../report/sharing/sharing.ts'
import { compareFiles, type ComparedFile, type FileComparison } from '../../../scoring/tool-calls/comparison.ts'
import { pairAnswers, type PairedAnswers } from '../../../services/playground/pair-answers.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
import { comparePairs, warnOfTemplates, type PairedScores } from '../../../report/comparing/compare-runs.ts'
import type { Prompts } from '../../../report/model/contestants/templates.ts'
import type { ReadSet, ReadSetJob } from '../../trajectories/read-set.ts'
import { summarizeSelection, type SummaryJob, type SummaryPart } from './summarize-selection.ts'

/** Work that takes seconds for very many cells: it runs on the main thread for few, on another for many. */
export type ThreadJob =
  | { kind: 'summarize'; input: SummaryJob }
  | { kind: 'compare'; input: PairedScores & { prompts?: Prompts } }
  | { kind: 'pair'; input: Parameters<typeof pairAnswers> }
  | { kind: 'export'; input: ExportJob }
  | { kind: 'groups'; input: { scores: ScoreTable; chosen: ChosenGroups; sameWithin?: number | undefined } }
  | { kind: 'reference'; input: { scores: ScoreTable; reference: Reference } }
  | { kind: 'read-trajectories'; input: ReadSetJob }
  | { kind: 'compare-files'; input: { files: ComparedFile[]; smallestDifference?: number | undefined } }

export interface ExportJob {
  runs: RunResult[]
  /** If they are compared with each other. */
  compared?: ComparedRuns | undefined
  /** What the file leaves out. */
  sharing?: SharingOptions | undefined
  /** If it has already been computed. */
  summary?: ReportFigures | undefined
  /** What the summary does not know: runs that were interrupted, and how judges were calibrated. */
  options?: ReportOptions | undefined
  format: string
}

interface ComparedRuns {
  /** The first this many runs are A, the others B. */
  before: number
  /** Default: all models. */
  modelA?: string | undefined
  modelB?: string | undefined
  isChangedCompared: boolean
}

export type JobResult =
  | SummaryPart
  | { part: 'compared'; comparisons: (ModelComparison | undefined)[]; warning?: string }
  | { part: 'paired'; paired: PairedAnswers }
  | { part: 'grouped'; grouped: GroupedStandings }
  | { part: 'against-reference'; models: AgainstReference[] }
  | { part: 'compared-files'; comparisons: FileComparison[] }
  | { part: 'trajectories'; read: ReadSet }
  | { part: 'exported'; bytes: Uint8Array<ArrayBuffer> }

/** Yields each part of a result when it is ready. */
export async function* runJob({ kind, input }: ThreadJob): AsyncGenerator<JobResult> {
  if (kind === 'summarize') yield* summarizeSelection(input)
  else if (kind === 'compare') {
    const comparisons = comparePairs(input)
    const warning = warnOfTemplates(input, comparisons)
    yield { part: 'compared', comparisons, ...(warning !== undefined && { warning }) }
  } else if (kind === 'pair') yield { part: 'paired', paired: pairAnswers(...input) }
  else if (kind === 'groups') yield { part: 'grouped', grouped: buildGroups(input.scores, input.chosen, input) }
  else if (kind === 'reference')
    yield { part: 'against-reference', models: compareWithReference(input.scores, input.reference) }
  else if (kind === 'compare-files') yield { part: 'compared-files', comparisons: compareFiles(input.files, input) }
  else if (kind === 'read-trajectories') {
    const { readSet } = await import('../../trajectories/read-set.ts')
    yield { part: 'trajectories', read: await readSet(input) }
  } else yield { part: 'exported', bytes: new TextEncoder().encode(await writeExport(input)) }
}

/** Imports the writers only to export: a thread that summarizes must start quickly. */
async function writeExport(job: ExportJob): Promise<string> {
  const { writeReport } = await import('../../../report/formats.ts')
  return writeReport(await buildExport(job), { format: job.format })
}

async function buildExport({ runs, compared, sharing, summary, options = {} }: ExportJob): Promise<Report> {
  if (compared) {
    const { buildComparison, makeSide } = await import('../../../report/comparing/comparison-report.ts')
    const { before, modelA, modelB, isChangedCompared } = compared
    const sideOf = (own: RunResult[], model: string | undefined) =>
      makeSide(own, model === undefined ? undefined : [model])
    return buildComparison([sideOf(runs.slice(0, before), modelA), sideOf(runs.slice(before), modelB)], {
      ...options,
      ...sharing,
      isChangedCompared,
    })
  }
  const { buildReport, completeReport } = await import('../../../report/model/report.ts')
  if (!sharing?.isAnonymous && !sharing?.isWithoutTexts)
    return summary ? completeReport(summary, runs, options) : buildReport(runs, options)
  const { prepareForSharing } = await import('../../../report/sharing/sharing.ts')
  const { cost, interrupted, ...rest } = options
  const shared = prepareForSharing({ runs, calibrations: options.calibrations }, sharing)
  return buildReport(shared.runs, {
    ...rest,
    // A total would say what the models cost.
    ...(cost && !sharing.isAnonymous && { cost }),
    ...(interrupted && {
      interrupted: new Set(shared.runs.flatMap(({ id }, index) => (interrupted.has(runs[index]!.id) ? [id] : []))),
    }),
    calibrations: shared.calibrations,
    prompts: shared.prompts,
  })
}
