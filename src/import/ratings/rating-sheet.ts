import Papa from 'papaparse'
import { InputError, type RatingScale } from '../../contract/index.ts'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import { readCsv } from '../text/csv-rows.ts'

/** One answer on a sheet for people without the app. */
interface SheetItem {
  position: number
  prompt: string
  expectedOutput?: string
  response: string
}

/** What a person filled in. Without a rating, the person skipped the answer. */
interface SheetRating {
  position: number
  rating?: number
  note?: string
  rater?: string
}

const COLUMNS = ['id', 'prompt', 'expectedOutput', 'answer', 'rating', 'note', 'rater']

const rowId = (queueId: string, position: number) => `${queueId}#${position}`

/** A CSV with an answer a row, without model and score; `rating`, `note` and `rater` are to be filled in. */
export function writeRatingSheet(queueId: string, items: readonly SheetItem[], rater = ''): string {
  const rows = items.map(({ position, prompt, expectedOutput = '', response }) =>
    [rowId(queueId, position), prompt, expectedOutput, response, '', '', rater].map(escapeFormula),
  )
  return `${Papa.unparse([COLUMNS, ...rows], { newline: '\r\n' })}\r\n`
}

const SKIPPED = new Set(['skip', 'skipped', 's'])
const PASSED = new Set(['pass', 'passed', 'p', 'yes', 'y', '1', '100'])
const FAILED = new Set(['fail', 'failed', 'f', 'no', 'n', '0'])

/** 0 to 1; undefined if it is no rating on this scale. */
function readRating(text: string, scale: RatingScale): number | undefined {
  if (scale === 'pass-fail') return PASSED.has(text) ? 1 : FAILED.has(text) ? 0 : undefined
  const points = /^\d{1,3}([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return points <= 100 ? points / 100 : undefined
}

interface RatingSheet {
  ratings: SheetRating[]
  warnings: string[]
}

/** Reads a filled-in sheet, whole or not at all. Rows without a rating have not been rated yet. */
export function readRatingSheet(
  text: string,
  file: string,
  { queueId, scale }: { queueId: string; scale: RatingScale },
): RatingSheet {
  const { columns, rows } = readCsv(text, file)
  for (const needed of ['id', 'rating'])
    if (!columns.includes(needed)) throw new InputError(`${file}: it has no column ${needed}, as an exported sheet has`)
  const seen = new Set<string>()
  const ratings = rows.flatMap(({ fields, locate }): SheetRating[] => {
    const value = (column: string) => fields.get(column)?.trim() ?? ''
    const written = value('rating').toLowerCase()
    if (written === '') return []
    const [queue = '', position = ''] = splitId(value('id'))
    if (queue !== queueId || !/^\d+$/.test(position))
      throw new InputError(`${locate('id')}: ${JSON.stringify(value('id').slice(0, 80))} is not an id of this queue`)
    const [note, rater] = [value('note'), value('rater')]
    const key = JSON.stringify([position, rater.toLowerCase()])
    if (seen.has(key)) throw new InputError(`${locate('id')}: this answer is rated twice by the same person`)
    seen.add(key)
    const rating = readRating(written, scale)
    if (rating === undefined && !SKIPPED.has(written))
      throw new InputError(
        `${locate('rating')}: ${JSON.stringify(written.slice(0, 40))} is not a rating: write ${scale === 'points' ? 'a number from 0 to 100' : 'pass or fail'}, or skip`,
      )
    return [
      {
        position: Number(position),
        ...(rating !== undefined && { rating }),
        ...(note !== '' && { note }),
        ...(rater !== '' && { rater }),
      },
    ]
  })
  return { ratings, warnings: listWarnings(ratings, scale) }
}

/** The queue that a sheet was exported from; undefined without any row. */
export function findSheetQueue(text: string, file: string): string | undefined {
  const id = readCsv(text, file).rows[0]?.fields.get('id')
  return id === undefined ? undefined : splitId(id.trim())[0]
}

function splitId(id: string): string[] {
  const at = id.lastIndexOf('#')
  return at < 0 ? [] : [id.slice(0, at), id.slice(at + 1)]
}

const FEW = 5

/** Someone may have rated from 0 to 10, or from 0 to 1. */
function listWarnings(ratings: readonly SheetRating[], scale: RatingScale): string[] {
  const given = ratings.flatMap(({ rating }) => rating ?? [])
  const highest = Math.max(0, ...given)
  if (scale === 'pass-fail' || given.length < FEW || highest === 0 || highest > 0.1) return []
  return [`no rating is above 10: ratings are from 0 to 100`]
}
