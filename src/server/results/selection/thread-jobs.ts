import type { RunResult } from '../../../contract/index.ts'
import type { ReportOptions } from '../../../report/model/standings.ts'
import type { ReportSummary } from '../../../report/model/summary.ts'
import { compareFiles, type ComparedFile, type FileComparison } from '../../../scoring/tool-calls/comparison.ts'
import type { PairedAnswers } from '../../../services/playground/pair-answers.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
import { pairColumns, type PairJob } from '../../playground/pair-columns.ts'
import { compareSelections, type PairedJob } from '../compare/compare-selections.ts'
import { computeGroups, type GroupsJob, type GroupStandings } from '../groups-standings.ts'
import { summarizeSelection, type SummaryJob, type SummaryPart } from './summarize-selection.ts'

/** Work that takes seconds for very many cells: it runs on the main thread for few, on another for many. */
export type ThreadJob =
  | { kind: 'summarize'; input: SummaryJob }
  | { kind: 'compare'; input: PairedJob }
  | { kind: 'pair'; input: PairJob }
  | { kind: 'export'; input: ExportJob }
  | { kind: 'groups'; input: GroupsJob }
  | { kind: 'compare-files'; input: { files: ComparedFile[]; smallestDifference?: number | undefined } }

interface ExportJob {
  runs: RunResult[]
  /** If it has already been computed. */
  summary?: ReportSummary | undefined
  /** What the summary does not know: runs that were interrupted, and how judges were calibrated. */
  options?: ReportOptions | undefined
  format: string
}

export type JobResult =
  | SummaryPart
  | { part: 'compared'; comparisons: (ModelComparison | undefined)[] }
  | { part: 'paired'; paired: PairedAnswers }
  | { part: 'grouped'; groups: GroupStandings[] }
  | { part: 'compared-files'; comparisons: FileComparison[] }
  | { part: 'exported'; bytes: Uint8Array<ArrayBuffer> }

/** Yields each part of a result when it is ready. */
export async function* runJob({ kind, input }: ThreadJob): AsyncGenerator<JobResult> {
  if (kind === 'summarize') yield* summarizeSelection(input)
  else if (kind === 'compare') yield { part: 'compared', comparisons: compareSelections(input) }
  else if (kind === 'pair') yield { part: 'paired', paired: pairColumns(input) }
  else if (kind === 'groups') yield { part: 'grouped', groups: computeGroups(input) }
  else if (kind === 'compare-files') yield { part: 'compared-files', comparisons: compareFiles(input.files, input) }
  else yield { part: 'exported', bytes: new TextEncoder().encode(await writeExport(input)) }
}

/** Imports the writers only to export: a thread that summarizes must start quickly. */
async function writeExport({ runs, summary, options, format }: ExportJob): Promise<string> {
  const [{ buildReport, completeReport }, { writeReport }] = await Promise.all([
    import('../../../report/model/report.ts'),
    import('../../../report/formats.ts'),
  ])
  return writeReport(summary ? completeReport(summary, runs, options) : buildReport(runs, options), { format })
}
