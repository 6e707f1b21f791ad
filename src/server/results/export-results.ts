import type { RunResult } from '../../contract/index.ts'
import type { ReportFormat } from '../../report/index.ts'
import { formatArenaHtml } from '../../report/formats/html/arena-html.ts'
import { areArenaRuns, attachQueues, findStandings } from '../../services/index.ts'
import { loadArenaReport } from '../code-arena/arena-report.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { notFound } from '../http/refusal.ts'
import { findServedActivity } from '../runs/run-activity.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'
import { shortenId } from './selection/resolve-selection.ts'

/** Answers up to this total length can be written on the main thread without a noticeable pause. */
const MAX_CHARACTERS_INLINE = 1_000_000

export async function exportResults(
  selection: LoadedSelection,
  context: ServerContext,
  { format, smallestDifference }: { format: ReportFormat; smallestDifference?: number | undefined },
): Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const runs: RunResult[] = []
  for (const id of selection.ids) {
    const run = await context.storage.loadRun(id)
    if (!run) throw notFound(`Run ${shortenId(id)}`)
    runs.push(run)
  }
  const headersFor = (title: string) =>
    attachmentHeaders(
      `${title.slice(0, 80)} ${selection.ids[0]}${format.extension}`,
      `${format.mediaType}; charset=utf-8`,
    )
  if (format.name === 'html' && areArenaRuns(runs)) {
    const arena = await loadArenaReport(runs, {
      storage: context.storage,
      inspectPage: context.runTools().pages?.inspectPage,
    })
    return { bytes: new TextEncoder().encode(formatArenaHtml(arena)), headers: headersFor(selection.suite?.name ?? '') }
  }
  const summary = await selection.resultsFor(smallestDifference).summary
  const drawn = await attachQueues(context.storage, runs)
  const characters = runs.reduce(
    (sum, { results }) => sum + results.reduce((length, { response = '' }) => length + response.length, 0),
    0,
  )
  const activityOf = await findServedActivity(runs, context)
  const interrupted = new Set(selection.ids.filter((id) => activityOf(id).isInterrupted))
  const calibrations = await findStandings(runs, context.storage)
  const input =
    interrupted.size === 0
      ? { runs: drawn, summary, options: { calibrations }, format: format.name }
      : {
          runs: drawn,
          options: { cost: summary.cost, smallestDifference, interrupted, calibrations },
          format: format.name,
        }
  const thread = isLarge(selection.summaries) || characters > MAX_CHARACTERS_INLINE ? startThread() : undefined
  let bytes = new Uint8Array(0)
  await runJobIn(thread, { kind: 'export', input }, (result) => {
    if (result.part === 'exported') bytes = result.bytes
  })
  return { bytes, headers: headersFor(selection.suite?.name ?? summary.title) }
}
