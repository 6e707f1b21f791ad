import type { HumanRating, RatingItem, RatingQueue, Storage } from '../../../contract/index.ts'
import { describeInterval, formatCount, formatScore } from '../../../report/words/index.ts'
import {
  createBlindEstimates,
  countProgress,
  findNext,
  loadQueueRatings,
  openItem,
  rateItem,
  undoLast,
  type BlindEstimates,
  type BlindItem,
} from '../../../services/index.ts'
import { styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { ENTRY_HELP, readEntry, type Entry } from './read-entry.ts'

export interface RatingSession {
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
  let repeated: { item: RatingItem; said: HumanRating } | undefined
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
    const said = await askUntilClear(`${formatCount(rated)} of ${formatCount(total)} rated. Rating: `, {
      queue,
      readLine,
      terminal,
      note: repeated?.said.note,
    })
    repeated = undefined
    if (said.kind === 'quit') return
    if (said.kind === 'undo') {
      repeated = await undoLast(storage, queue, rater, ratings)
      if (!repeated) stdout.write('There is nothing to undo.\n')
    } else {
      const rating = said.kind === 'rate' ? { rating: said.rating } : {}
      await rateItem(storage, queue, {
        position: item.position,
        rater,
        ...rating,
        ...(said.note !== undefined && { note: said.note }),
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
