import { isRecord } from '../../../contract/index.ts'
import { textOf } from '../suite-draft.ts'

/** A criterion of a rubric as it is edited. */
export interface CriterionRow {
  text: string
  weight: unknown
  /** Fields that the form does not show. */
  rest: Record<string, unknown>
}

/** Undefined if the value is not a list of criteria, which only the Source tab can repair. */
export function readRows(value: unknown): CriterionRow[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const rows = value.map((item: unknown): CriterionRow | undefined => {
    if (typeof item === 'string') return { text: item, weight: undefined, rest: {} }
    if (!isRecord(item)) return undefined
    const { text, criterion, weight, ...rest } = item
    return { text: textOf(text ?? criterion), weight, rest }
  })
  return rows.every((row) => row !== undefined) ? rows : undefined
}

/** A criterion with nothing but a text is written as that text. */
export function writeRows(rows: readonly CriterionRow[]): unknown[] | undefined {
  if (rows.length === 0) return undefined
  return rows.map(({ text, weight, rest }) =>
    weight === undefined && Object.keys(rest).length === 0
      ? text
      : { text, ...(weight !== undefined && { weight }), ...rest },
  )
}
