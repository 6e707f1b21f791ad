import type { SchemaElement, SchemaTree } from 'hyparquet'
import { InputError } from '../../../contract/index.ts'

/**
 * Parquet's decimals are integers with a scale; hyparquet makes floating-point numbers of them, and knows only the older of
 * the two ways to mark them. Whole ones are left as integers here, so that long ids keep all their digits.
 */
export function prepareDecimals(schema: readonly SchemaElement[]): void {
  for (const element of schema) {
    const { logical_type: logical, type } = element
    if (logical?.type === 'DECIMAL') {
      element.converted_type = 'DECIMAL'
      element.scale = logical.scale
    }
    const isWhole = element.converted_type === 'DECIMAL' && !element.scale
    if (isWhole && (type === 'INT32' || type === 'INT64')) {
      delete element.converted_type
      delete element.logical_type
    }
  }
}

/** By column, with a dot for each group: the digits after the point of those that are decimals. */
export function findScales({ children }: SchemaTree, group = ''): Map<string, number> {
  return new Map(
    children.flatMap((child): [string, number][] => {
      const { name, converted_type: kind, scale = 0 } = child.element
      const column = `${group}${name}`
      return [
        ...(kind === 'DECIMAL' ? [[column, scale] satisfies [string, number]] : []),
        ...findScales(child, `${column}.`),
      ]
    }),
  )
}

/** 57 hundredths are 0.57, and not 0.5700000000000001 as by multiplication. A rounded id would be that of another. */
export function readDecimal(value: unknown, scale: number | undefined, place: string): unknown {
  if (typeof value !== 'number' || scale === undefined) return value
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new InputError(`${place}: the decimal ${value} is too large to be exact; write the column as text`)
  return Number(value.toFixed(Math.min(scale, 100)))
}
