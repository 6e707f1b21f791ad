import type { RunResult } from '../../contract/index.ts'
import type { ReportFormat, SharingOptions } from '../../report/index.ts'
import { writeArenaHtml } from '../../report/formats/html/arena-html.ts'
import { hideNames, leaveOutPages } from '../../report/model/arena/arena-report.ts'
import { areArenaRuns, attachQueues, findStandings, loadArenaReport } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { notFound } from '../http/refusal.ts'
import { findServedActivity } from '../runs/run-activity.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'
import { shortenId } from './selection/resolve-selection.ts'
import type { ExportJob } from './selection/thread-jobs.ts'

/** Answers up to this total length can be written on the main thread without a noticeable pause. */
const MAX_CHARACTERS_INLINE = 1_000_000

export interface ExportChoices extends SharingOptions {
  format: ReportFormat
  smallestDifference?: number | undefined
}

interface ExportedFile {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

async function loadRuns({ ids }: LoadedSelection, { storage }: ServerContext): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (const id of ids) {
    const run = await storage.loadRun(id)
    if (!run) throw notFound(`Run ${shortenId(id)}`)
    runs.push(run)
  }
  return runs
}

/** The name of a file must not say more than the file. */
function nameFile(title: string, id: string, { format, isAnonymous }: ExportChoices): Record<string, string> {
  const name = isAnonymous ? 'Results without names' : `${title.slice(0, 80)} ${id}`
  return attachmentHeaders(`${name}${format.extension}`, `${format.mediaType}; charset=utf-8`)
}

/** Writes the report, in a thread if there is much to write. */
async function writeExport(
  job: ExportJob,
  selections: readonly LoadedSelection[],
  isRenamed: boolean | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const characters = job.runs.reduce(
    (sum, { results }) => sum + results.reduce((length, { response = '' }) => length + response.length, 0),
    0,
  )
  const isLong = isLarge(selections.flatMap(({ summaries }) => summaries)) || characters > MAX_CHARACTERS_INLINE
  // Names are searched for in every text.
  const thread = isLong || (isRenamed && characters > MAX_CHARACTERS_INLINE / 10) ? startThread() : undefined
  let bytes = new Uint8Array(0)
  await runJobIn(thread, { kind: 'export', input: job }, (result) => {
    if (result.part === 'exported') bytes = result.bytes
  })
  return bytes
}

async function exportPages(
  runs: RunResult[],
  { storage, inspectPage }: ServerContext,
  { isAnonymous, isWithoutTexts }: ExportChoices,
): Promise<Uint8Array<ArrayBuffer>> {
  const arena = await loadArenaReport(runs, { storage, inspectPage, takesPictures: true })
  const named = isAnonymous ? hideNames(arena) : arena
  return new TextEncoder().encode(writeArenaHtml(isWithoutTexts ? leaveOutPages(named) : named))
}

export async function exportResults(
  selection: LoadedSelection,
  context: ServerContext,
  choices: ExportChoices,
): Promise<ExportedFile> {
  const { format, smallestDifference, isAnonymous, isWithoutTexts } = choices
  const runs = await loadRuns(selection, context)
  const [id = ''] = selection.ids
  if (format.name === 'html' && areArenaRuns(runs))
    return {
      bytes: await exportPages(runs, context, choices),
      headers: nameFile(selection.suite?.name ?? '', id, choices),
    }
  const summary = await selection.resultsFor(smallestDifference).summary
  const drawn = await attachQueues(context.storage, runs)
  const activityOf = await findServedActivity(runs, context)
  const interrupted = new Set(selection.ids.filter((runId) => activityOf(runId).state === 'interrupted'))
  const calibrations = await findStandings(runs, context.storage)
  const isShared = isAnonymous || isWithoutTexts
  const job: ExportJob =
    interrupted.size === 0 && !isShared
      ? { runs: drawn, summary, options: { calibrations }, format: format.name }
      : {
          runs: drawn,
          options: { cost: summary.cost, sameWithin: smallestDifference, interrupted, calibrations },
          sharing: { isAnonymous, isWithoutTexts },
          format: format.name,
        }
  return {
    bytes: await writeExport(job, [selection], isAnonymous),
    headers: nameFile(selection.suite?.name ?? summary.title, id, choices),
  }
}

/** Two selections against each other, as one file. */
export async function exportComparison(
  [a, b]: readonly [LoadedSelection, LoadedSelection],
  context: ServerContext,
  {
    chosen,
    isChangedCompared,
    ...choices
  }: ExportChoices & {
    chosen: { modelA?: string | undefined; modelB?: string | undefined }
    isChangedCompared: boolean
  },
): Promise<ExportedFile> {
  const { format, smallestDifference, isAnonymous, isWithoutTexts } = choices
  const [before, after] = [await loadRuns(a, context), await loadRuns(b, context)]
  const runs = [...before, ...after]
  const calibrations = await findStandings(runs, context.storage)
  const [costA, costB] = [(await a.results.standings).cost, (await b.results.standings).cost]
  const cost = { total: costA.total + costB.total, unknown: costA.unknown + costB.unknown }
  const isSame = a.ids.join() === b.ids.join()
  const job: ExportJob = {
    runs,
    compared: { before: before.length, ...chosen, isChangedCompared },
    options: { cost: isSame ? costA : cost, sameWithin: smallestDifference, calibrations },
    sharing: { isAnonymous, isWithoutTexts },
    format: format.name,
  }
  const title = b.suite?.name ?? after[0]?.testSuiteName ?? 'Comparison'
  return {
    bytes: await writeExport(job, [a, b], isAnonymous),
    headers: nameFile(title, `${a.ids[0]} ${b.ids[0]}`, choices),
  }
}
