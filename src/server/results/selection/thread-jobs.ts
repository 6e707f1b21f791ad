import type { RunResult } from '../../../contract/index.ts'
import type { ReportSummary } from '../../../report/model/summary.ts'
import { compareFiles, type ComparedFile, type FileComparison } from '../../../scoring/tool-calls/comparison.ts'
import { compareSelections, type PairedJob, type PairedResult } from '../compare/compare-selections.ts'
import { computeGroups, type GroupsJob, type GroupStandings } from '../groups-standings.ts'
import { summarizeSelection, type SummaryJob, type SummaryPart } from './summarize-selection.ts'

/** Work that takes seconds for very many cells: it runs on the main thread for few, on another for many. */
export type ThreadJob =
  | { kind: 'summarize'; input: SummaryJob }
  | { kind: 'compare'; input: PairedJob }
  | { kind: 'export'; input: ExportJob }
  | { kind: 'groups'; input: GroupsJob }
  | { kind: 'compare-files'; input: { files: ComparedFile[] } }

interface ExportJob {
  runs: RunResult[]
  /** If it has already been computed. */
  summary?: ReportSummary | undefined
  format: string
}

export type JobResult =
  | SummaryPart
  | { part: 'compared'; pairs: PairedResult[] }
  | { part: 'grouped'; groups: GroupStandings[] }
  | { part: 'compared-files'; comparisons: FileComparison[] }
  | { part: 'exported'; bytes: Uint8Array<ArrayBuffer> }

/** Yields each part of a result when it is ready. */
export async function* runJob({ kind, input }: ThreadJob): AsyncGenerator<JobResult> {
  if (kind === 'summarize') yield* summarizeSelection(input)
  else if (kind === 'compare') yield { part: 'compared', pairs: compareSelections(input) }
  else if (kind === 'groups') yield { part: 'grouped', groups: computeGroups(input) }
  else if (kind === 'compare-files') yield { part: 'compared-files', comparisons: compareFiles(input.files) }
  else yield { part: 'exported', bytes: new TextEncoder().encode(await writeExport(input)) }
}

/** Imports the writers only to export: a thread that summarizes must start quickly. */
async function writeExport({ runs, summary, format }: ExportJob): Promise<string> {
  const [{ buildReport, completeReport }, { writeReport }] = await Promise.all([
    import('../../../report/model/report.ts'),
    import('../../../report/formats.ts'),
  ])
  return writeReport(summary ? completeReport(summary, runs) : buildReport(runs), { format })
}
