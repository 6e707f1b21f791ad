import type { RunResult } from '../../contract/index.ts'
import type { ReportFigures } from '../../report/model/report-figures.ts'
import { compareFiles, type ComparedFile, type FileComparison } from '../../scoring/tool-calls/comparison.ts'
import { computeFigures, type FiguresJob, type FiguresPart } from './figures.ts'
import { compareSelections, type PairedJob, type PairedResult } from './runs-comparison.ts'

/** Work of a moment for few cells and of seconds for very many: done here for few, in a thread of its own for many. */
export type ThreadWork =
  | { kind: 'figures'; job: FiguresJob }
  | { kind: 'compare'; job: PairedJob }
  | { kind: 'export'; job: ExportJob }
  | { kind: 'files'; job: { files: ComparedFile[] } }

interface ExportJob {
  runs: RunResult[]
  /** Where they are known already. */
  figures?: ReportFigures | undefined
  format: string
}

export type WorkResult =
  | FiguresPart
  | { part: 'compared'; pairs: PairedResult[] }
  | { part: 'files'; comparisons: FileComparison[] }
  | { part: 'exported'; bytes: Uint8Array<ArrayBuffer> }

export async function* doWork(work: ThreadWork): AsyncGenerator<WorkResult> {
  if (work.kind === 'figures') yield* computeFigures(work.job)
  else if (work.kind === 'compare') yield { part: 'compared', pairs: compareSelections(work.job) }
  else if (work.kind === 'files') yield { part: 'files', comparisons: compareFiles(work.job.files) }
  else yield { part: 'exported', bytes: new TextEncoder().encode(await writeExport(work.job)) }
}

/** The writers are loaded by those who export only: a thread for figures must be up at once. */
async function writeExport({ runs, figures, format }: ExportJob): Promise<string> {
  const [{ addCases, createReport }, { formatReport }] = await Promise.all([
    import('../../report/model/report.ts'),
    import('../../report/formats.ts'),
  ])
  return formatReport(figures ? addCases(figures, runs) : createReport(runs), format)
}
