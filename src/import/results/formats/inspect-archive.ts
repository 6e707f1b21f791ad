import { isJsonObject, InputError } from '../../../contract/index.ts'
import { splitJson } from '../../text/split-json.ts'
import type { Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsReader } from '../foreign-results.ts'
import { isOfficeFile } from '../results-file.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import {
  createSampleCollector,
  readInspectHeader,
  readInspectSample,
  resolveReferences,
  warnOfInvalid,
} from './inspect-log.ts'

const ZIP_START = Buffer.from('PK')
/** `samples/1_epoch_1.json`, or chunked `samples/1_epoch_1/sample.json`. Ids may contain anything, slashes too. */
const SAMPLE_NAME = /^samples\/.+_epoch_\d+(?:\.json|\/sample\.json)$/s
const CHUNKED = '/sample.json'
const ATTACHMENTS_NAME = /^(samples\/.+_epoch_\d+)\/attachments\/(\d+)\.json$/s

async function readEntry(zip: ZipArchive, entry: string, name: string): Promise<unknown> {
  for await (const part of splitJson(zip.read(entry), { name: `${name}: ${entry}`, decide: () => 'take' }))
    if (part.kind === 'value') return part.value
  return undefined
}

/** A log of an evaluation that was killed has no header yet, but a journal with its beginning. */
async function readHeader(zip: ZipArchive, name: string): Promise<{ fields: Fields; isJournal: boolean }> {
  const entry = ['header.json', '_journal/start.json'].find((found) => zip.has(found))
  if (entry === undefined) {
    const advice = zip.names.some((found) => /\.(eval|jsonl?|csv|parquet)$|\/header\.json$/i.test(found))
      ? '; unpack it and name the files in it'
      : ''
    throw new InputError(
      `${name}: is an archive without header.json, so it is not an Inspect log; it has ${zip.names.slice(0, 5).join(', ') || 'no files'}${advice}`,
    )
  }
  const fields = await readEntry(zip, entry, name)
  if (!isJsonObject(fields)) throw new InputError(`${name}: ${entry} is not a JSON object`)
  return { fields, isJournal: entry !== 'header.json' }
}

/** Attachments of a chunked sample: lists in files named by the number of their first item. */
async function readChunkedAttachments(
  zip: ZipArchive,
  entries: readonly string[],
  name: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of entries) {
    const first = Number(ATTACHMENTS_NAME.exec(entry)?.[2])
    const list = await readEntry(zip, entry, name)
    if (Array.isArray(list))
      for (const [index, text] of list.entries()) if (typeof text === 'string') found.set(String(first + index), text)
  }
  return found
}

/** The beginning of a chunked sample's messages, which are lists in files named as those of attachments are. */
async function readFirstMessages(
  zip: ZipArchive,
  { folder, name, refs }: { folder: string; name: string; refs: unknown },
): Promise<readonly unknown[]> {
  const from: unknown = Array.isArray(refs) && Array.isArray(refs[0]) ? refs[0][0] : 0
  if (typeof from !== 'number') return []
  const first = zip.names
    .flatMap((entry) => {
      const start = entry.startsWith(`${folder}/messages/`) ? /(\d+)\.json$/.exec(entry)?.[1] : undefined
      return start === undefined || Number(start) > from ? [] : [{ entry, start: Number(start) }]
    })
    .toSorted((a, b) => b.start - a.start)[0]
  const list = first && (await readEntry(zip, first.entry, name))
  return first && Array.isArray(list) ? list.slice(from - first.start) : []
}

async function readSample(
  zip: ZipArchive,
  entry: string,
  { name, attachmentsOf }: { name: string; attachmentsOf(folder: string): readonly string[] },
): Promise<Fields> {
  const collector = createSampleCollector()
  const parts = splitJson(zip.read(entry), {
    name: `${name}: ${entry}`,
    decide: ([key, inner]) => (key === undefined ? 'enter' : collector.decideField(key, inner)),
  })
  for await (const part of parts) {
    if (part.kind !== 'value') continue
    const [key, inner] = part.path
    collector.add(key!, inner, part.value)
  }
  const isChunked = entry.endsWith(CHUNKED)
  const folder = entry.slice(0, -CHUNKED.length)
  if (isChunked && !collector.hasMessages())
    for (const message of await readFirstMessages(zip, { folder, name, refs: collector.messageRefs() })) {
      if (collector.decideField('messages', '*') === 'skip') break
      collector.add('messages', '*', message)
    }
  const isIncomplete = collector.missing().length > 0
  const sample = collector.finish()
  if (!isIncomplete || !isChunked) return sample
  const attachments = await readChunkedAttachments(zip, attachmentsOf(folder), name)
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, resolveReferences(value, attachments)]))
}

/** Inspect AI's `.eval` archives. */
export const inspectArchive: ResultsReader = {
  name: 'inspect',
  looksLike: 'an Inspect AI log: a .eval archive',
  recognises: ({ start, name }) => start.subarray(0, 2).equals(ZIP_START) && !isOfficeFile(name),
  async read({ path, name, limits, keep }, { model: chosen }): Promise<ForeignResults> {
    const zip = await openZip(path, name, limits)
    try {
      const { fields, isJournal } = await readHeader(zip, name)
      const { model, ...header } = readInspectHeader(fields, { name, ...(chosen !== undefined && { chosen }) })
      const samples: ForeignSample[] = []
      const attachments = Map.groupBy(zip.names, (entry) => ATTACHMENTS_NAME.exec(entry)?.[1] ?? '')
      const attachmentsOf = (folder: string) => attachments.get(folder) ?? []
      for (const entry of zip.names)
        if (SAMPLE_NAME.test(entry)) {
          const sample = await readSample(zip, entry, { name, attachmentsOf })
          samples.push(keep(readInspectSample(sample, { model, place: `${name}: ${entry}` })))
        }
      const warnings = isJournal
        ? [`${name}: the evaluation did not finish; the samples that it had logged are imported`]
        : []
      return { ...header, samples, warnings: [...header.warnings, ...warnOfInvalid(samples, name), ...warnings] }
    } finally {
      zip.close()
    }
  },
}
