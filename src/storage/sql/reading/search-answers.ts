import { sql } from 'kysely'
import { InputError, type CellKey } from '../../../contract/index.ts'
import { rangesOf } from './cell-ranges.ts'
import type { SqlDialect } from '../../migrations/data-definition.ts'
import type { TableReader } from '../schema.ts'
import { decodeText } from '../text-codec.ts'

const MAX_TEXT_LENGTH = 1000

/**
 * Neither database ignores case the way Unicode does, so the comparison happens here. The database only drops answers
 * that cannot match, judging by the ASCII characters of the text; K and S are skipped because they also match
 * non-ASCII characters (the Kelvin sign, the long s).
 */
export async function searchAnswers(
  db: TableReader,
  dialect: SqlDialect,
  { run, text }: { run: number; text: string },
): Promise<Omit<CellKey, 'runId'>[]> {
  if (text.length > MAX_TEXT_LENGTH)
    throw new InputError(`The text to search for has ${text.length} characters: the maximum is ${MAX_TEXT_LENGTH}.`)
  const wanted = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
  const pattern = patternOf(text)
  const mayMatch =
    dialect === 'sqlite'
      ? sql<boolean>`answers.response LIKE ${pattern} ESCAPE '\\'`
      : sql<boolean>`lower(answers.response COLLATE "C") LIKE ${pattern} ESCAPE '\\'`
  const found: Omit<CellKey, 'runId'>[] = []
  for await (const { from, to } of rangesOf(db, run)) {
    const rows = await db
      .selectFrom('cells')
      .innerJoin('answers', 'answers.cell', 'cells.id')
      .where('cells.run', '=', run)
      .where('cells.id', '>=', from)
      .where('cells.id', '<=', to)
      .where(mayMatch)
      .orderBy('cells.id')
      .select(['cells.case_id', 'cells.model_id', 'answers.response'])
      .execute()
    for (const row of rows)
      if (wanted.test(decodeText(row.response)))
        found.push({ testCaseId: decodeText(row.case_id), modelId: decodeText(row.model_id) })
  }
  return found
}

/** The part before the first character that is stored encoded. */
// oxlint-disable-next-line no-control-regex
const unencodedPrefix = /^[^\0\u001A\p{Surrogate}]*/u

function patternOf(text: string): string {
  const [plain = ''] = unencodedPrefix.exec(text) ?? []
  const parts = Array.from(plain, (character) => {
    if (character > '\u007F' || /[ks]/i.test(character)) return '_'
    return /[%_\\]/.test(character) ? `\\${character}` : character.toLowerCase()
  })
  return `%${parts.join('')}%`
}
