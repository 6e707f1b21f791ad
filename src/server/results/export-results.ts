import type { RunResult, Storage } from '../../contract/index.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { notFound } from '../http/refusal.ts'
import { doWorkIn, startThread } from './in-thread.ts'
import { isMuch, type LoadedSelection } from './loaded-selection.ts'
import { nameIt } from './selection.ts'

/** What a format is called in addresses, by the report's writers and by browsers. */
const exportFormats = {
  json: { name: 'json', extension: '.json', type: 'application/json; charset=utf-8' },
  csv: { name: 'csv', extension: '.csv', type: 'text/csv; charset=utf-8' },
  md: { name: 'markdown', extension: '.md', type: 'text/markdown; charset=utf-8' },
  xml: { name: 'junit', extension: '.xml', type: 'application/xml; charset=utf-8' },
  html: { name: 'html', extension: '.html', type: 'text/html; charset=utf-8' },
} as const

export type ExportFormat = keyof typeof exportFormats

/** Answers of this many characters in all are written in a blink. */
const MOST_CHARACTERS_HERE = 1_000_000

export async function exportResults(
  selection: LoadedSelection,
  storage: Storage,
  format: ExportFormat,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const runs: RunResult[] = []
  for (const id of selection.ids) {
    const run = await storage.loadRun(id)
    if (!run) throw notFound(`Run ${nameIt(id)}`)
    runs.push(run)
  }
  const figures = await selection.figures.all
  const characters = runs.reduce(
    (sum, { results }) => sum + results.reduce((length, { response = '' }) => length + response.length, 0),
    0,
  )
  const thread = isMuch(selection.summaries) || characters > MOST_CHARACTERS_HERE ? startThread() : undefined
  const { name, extension, type } = exportFormats[format]
  let bytes = new Uint8Array(0)
  await doWorkIn(thread, { kind: 'export', job: { runs, figures, format: name } }, (result) => {
    if (result.part === 'exported') bytes = result.bytes
  })
  const title = selection.suite?.name ?? figures.title
  return { bytes, headers: attachmentHeaders(`${title.slice(0, 80)} ${selection.ids[0]}${extension}`, type) }
}
