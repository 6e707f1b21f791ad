import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import {
  InputError,
  type RatingQueue,
  type Storage,
  type HumanRating,
  type RatingItem,
} from '../../../contract/index.ts'
import { findSheetQueue, readRatingSheet, writeRatingSheet } from '../../../import/index.ts'
import { formatCount, describeInterval, formatScore } from '../../../report/words/index.ts'
import {
  createQueue,
  countProgress,
  extendQueue,
  findItem,
  findQueues,
  loadQueueRatings,
  openItem,
  rateItem,
  readRater,
  createBlindEstimates,
  findNext,
  undoLast,
  type BlindEstimates,
  type BlindItem,
} from '../../../services/index.ts'
import { createId } from '../../compose.ts'
import { printWarnings } from '../../output/notice.ts'
import { printJson, type Terminal, styleFor } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { findRunId } from '../results/find-run.ts'
import { withApp, type StoredOptions } from '../results/stored-commands.ts'
import { ENTRY_HELP, readEntry, type Entry } from './read-entry.ts'

interface RatingSession {
  storage: Storage
  queue: RatingQueue
  rater: string
  /** The next line that the person types; undefined at the end of the input. */
  readLine: (prompt: string) => Promise<string | undefined>
  terminal: Terminal
}

/** Foreign text is indented: it must not look like a line of ours. */
function block(text: string): string {
  return cleanText(text)
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')
}

function drawItem({ prompt, expectedOutput, response, toolCalls }: BlindItem, terminal: Terminal): string {
  const style = styleFor(terminal)
  const part = (title: string, text: string) => `${style('bold', title)}\n${block(text)}`
  return [
    '\n',
    part('Prompt', prompt),
    ...(expectedOutput === undefined ? [] : [part('Expected output', expectedOutput)]),
    part('Answer', response === '' && !toolCalls ? '(empty)' : response),
    ...(toolCalls ? [part('Tool calls', JSON.stringify(toolCalls, null, 2))] : []),
  ].join('')
}

/** `So far: Model A 61.2 (55.0 to 67.4), Model B 3 of 10 cases rated` */
function drawEstimates({ models }: BlindEstimates): string {
  const each = models.map(({ modelId, estimate, ratedCases, needed = 0 }) =>
    estimate
      ? `${modelId} ${formatScore(estimate.mean)} (${describeInterval(estimate)})`
      : `${modelId} ${formatCount(ratedCases)} of at least ${formatCount(needed, 'case')}`,
  )
  return each.length === 0 ? '' : `So far: ${each.join(', ')}\n`
}

/** Shows one answer after the other, without model and score, and stores what the person says about each. */
export async function rateByLines({ storage, queue, rater, readLine, terminal }: RatingSession): Promise<void> {
  const { stdout } = terminal
  const estimate = createBlindEstimates({ storage, now: Date.now })
  const style = styleFor(terminal)
  let repeated: { item: RatingItem; given: HumanRating } | undefined
  for (;;) {
    const ratings = await loadQueueRatings(storage, queue)
    const { rated, total } = countProgress(queue, rater, ratings)
    if (ratings.size > 0) stdout.write(style('dim', drawEstimates(await estimate(queue, ratings))))
    const item = repeated?.item ?? findNext(queue, rater, ratings)
    const blind = item && (await openItem(storage, item))
    if (!item || !blind) {
      stdout.write(`Every answer is rated: ${formatCount(rated)} of ${formatCount(total)}.\n`)
      return
    }
    stdout.write(drawItem(blind, terminal))
    const entry = await askUntilClear(`${formatCount(rated)} of ${formatCount(total)} rated. Rating: `, {
      queue,
      readLine,
      terminal,
      note: repeated?.given.note,
    })
    repeated = undefined
    if (entry.kind === 'quit') return
    if (entry.kind === 'undo') {
      repeated = await undoLast(storage, queue, rater, ratings)
      if (!repeated) stdout.write('There is nothing to undo.\n')
    } else {
      const rating = entry.kind === 'rate' ? { rating: entry.rating } : {}
      await rateItem(storage, queue, {
        position: item.position,
        rater,
        ...rating,
        ...(entry.note !== undefined && { note: entry.note }),
      })
    }
  }
}

type ClearEntry = Exclude<Entry, { kind: 'note' | 'unknown' }>

/** Asks again after a note and after what it does not understand; the end of the input is a stop. */
async function askUntilClear(
  prompt: string,
  {
    queue,
    readLine,
    terminal,
    note,
  }: Pick<RatingSession, 'queue' | 'readLine' | 'terminal'> & { note: string | undefined },
): Promise<ClearEntry> {
  let kept = note
  for (;;) {
    const line = await readLine(prompt)
    if (line === undefined) return { kind: 'quit' }
    const entry = readEntry(line, queue.scale)
    if (entry.kind === 'note') {
      kept = entry.note === '' ? undefined : entry.note
      terminal.stdout.write(kept === undefined ? 'No note.\n' : 'The note is saved with the rating.\n')
    } else if (entry.kind === 'unknown') terminal.stdout.write(`Type ${ENTRY_HELP[queue.scale]}.\n`)
    else if (entry.kind === 'undo' || entry.kind === 'quit') return entry
    else return { ...entry, ...(entry.note === undefined && kept !== undefined && { note: kept }) }
  }
}

export interface RateOptions extends StoredOptions {
  rater?: string
  perModel?: number
  more?: number
  passFail?: boolean
  shared?: number
  sameCases?: boolean
  seed?: string
  new?: boolean
  export?: string
  import?: string
}

async function findSeriesIds(storage: Storage, name: string): Promise<string[]> {
  const id = await findRunId(storage, name)
  const [run] = await storage.listRuns({ ids: [id] })
  return run?.seriesId === undefined ? [id] : storage.runsOfSeries(run.seriesId)
}

/** The newest queue of these runs, or a new one. */
async function openRatingQueue(storage: Storage, runIds: string[], options: RateOptions): Promise<RatingQueue> {
  const { passFail, perModel, shared, sameCases, seed, more } = options
  const isSame = (queue: RatingQueue) => runIds.every((id) => queue.runIds.includes(id))
  const scale = passFail === undefined ? undefined : 'pass-fail'
  const existing = (await findQueues(storage, runIds)).filter(isSame)
  const found = existing.find((queue) => scale === undefined || queue.scale === scale)
  if (found && !options.new) {
    const isOther = sameCases !== undefined && found.sameCases === undefined
    if (seed !== undefined || shared !== undefined || perModel !== undefined || isOther)
      throw new InputError(
        'there is a queue already: add --new to draw another one, or --more N to draw more answers of each model',
      )
    return more === undefined ? found : extendQueue(found, more, { storage })
  }
  return createQueue(
    { runIds, scale, perModel: perModel ?? more, shared, sameCases, seed },
    { storage, now: Date.now(), createId },
  )
}

/** Writes the answers that the person has not rated, without model and score. */
async function exportSheet(
  storage: Storage,
  queue: RatingQueue,
  { file, rater }: { file: string; rater: string | undefined },
): Promise<number> {
  const ratings = await loadQueueRatings(storage, queue)
  const own = rater === undefined ? undefined : readRater(rater, ratings)
  const left = queue.items.filter(({ position }) => !ratings.get(position)?.some((entry) => entry.rater === own))
  const items = await Promise.all(left.map((item) => openItem(storage, item)))
  const known = items.filter((item) => item !== undefined)
  await writeFile(file, writeRatingSheet(queue.id, known, own))
  return known.length
}

/** Stores a filled-in sheet, whole or not at all. */
async function importSheet(
  storage: Storage,
  runIds: string[],
  { file, rater, terminal }: { file: string; rater: string | undefined; terminal: Terminal },
): Promise<{ queue: RatingQueue; saved: number }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`${file} cannot be read`, { cause: error })
  })
  const queueId = findSheetQueue(text, file)
  const queue = (await findQueues(storage, runIds)).find(({ id }) => id === queueId)
  if (!queue) throw new InputError(`${file}: it was not exported from a queue of this run`)
  const sheet = readRatingSheet(text, file, { queueId: queue.id, scale: queue.scale })
  const ratings = await loadQueueRatings(storage, queue)
  const complete = sheet.ratings.map((row) => {
    const name = row.rater ?? rater
    if (name === undefined)
      throw new InputError(`${file}: say who rated: fill in the column rater, or add --rater NAME`)
    findItem(queue, row.position)
    return { ...row, rater: readRater(name, ratings) }
  })
  for (const row of complete) await rateItem(storage, queue, row)
  printWarnings(sheet.warnings, terminal)
  return { queue, saved: complete.length }
}

/** Lines from the keyboard, until the end of the input or Ctrl-C. */
function openLines(): { readLine: (prompt: string) => Promise<string | undefined>; close: () => void } {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const typed = lines[Symbol.asyncIterator]()
  lines.on('SIGINT', () => lines.close())
  return {
    async readLine(prompt) {
      process.stderr.write(prompt)
      const { value, done } = await typed.next()
      if (done === true) process.stderr.write('\n')
      return done === true ? undefined : value
    },
    close: () => lines.close(),
  }
}

async function rateHere(
  storage: Storage,
  queue: RatingQueue,
  { name, terminal }: { name: string | undefined; terminal: Terminal },
): Promise<string> {
  if (!process.stdin.isTTY)
    throw new InputError(
      'rating needs a terminal; without one, write the answers to a file with --export FILE.csv and read it back with --import FILE.csv',
    )
  const { readLine, close } = openLines()
  try {
    const given = name ?? (await readLine('Your name: ')) ?? ''
    const rater = readRater(given, await loadQueueRatings(storage, queue))
    terminal.stdout.write(`Rate each answer: ${ENTRY_HELP[queue.scale]}.\n`)
    await rateByLines({ storage, queue, rater, readLine, terminal })
    return rater
  } finally {
    close()
  }
}

/** `benchmaker rate RUN` */
export function rateRun(name: string, options: RateOptions, terminal: Terminal): Promise<number> {
  const { export: exported, import: imported, rater, json } = options
  if (exported !== undefined && imported !== undefined)
    throw new InputError('--export and --import contradict each other; leave one out')
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const runIds = await findSeriesIds(storage, name)
    const hint = `benchmaker show ${runIds[0]} shows the estimates by model`
    if (imported !== undefined) {
      const { queue, saved } = await importSheet(storage, runIds, { file: imported, rater, terminal })
      if (json) printJson({ queue: queue.id, saved }, terminal)
      terminal.stderr.write(`Saved ${formatCount(saved, 'rating')}; ${cleanText(hint)}.\n`)
      return 0
    }
    const queue = await openRatingQueue(storage, runIds, options)
    if (exported !== undefined) {
      const wrote = await exportSheet(storage, queue, { file: exported, rater })
      if (json) printJson({ queue: queue.id, wrote: exported, answers: wrote }, terminal)
      terminal.stderr.write(`wrote ${cleanText(exported)}: ${formatCount(wrote, 'answer')} to rate\n`)
      return 0
    }
    const person = await rateHere(storage, queue, { name: rater, terminal })
    const { rated, total } = countProgress(queue, person, await loadQueueRatings(storage, queue))
    if (json) printJson({ queue: queue.id, rater: person, rated, total }, terminal)
    terminal.stderr.write(`${formatCount(rated)} of ${formatCount(total)} rated; ${cleanText(hint)}.\n`)
    return 0
  })
}
