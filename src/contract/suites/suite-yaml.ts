import { isMap, isPair, isScalar, visit, type Document } from 'yaml'
import { suiteTextFields } from './suite.ts'

const TEXT_FIELDS = new Set(suiteTextFields.map((path) => path.join('.')))

/** Keeps `1.50` as text where the suite expects text, instead of the number 1.5. */
export function keepAsWritten(document: Document): void {
  visit(document, {
    Pair(_, pair, ancestors) {
      const keys = [...ancestors.filter(isPair), pair].map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      const { value } = pair
      if (!TEXT_FIELDS.has(keys.join('.')) || !isScalar(value)) return
      if (typeof value.value !== 'string' && value.value !== null && value.source !== undefined)
        value.value = value.source
    },
  })
}

/** Where the key (in a map) or the item (in a list) at the path begins; the document, at no path. */
export function offsetAt(document: Document, path: readonly PropertyKey[]): number | undefined {
  const last = path.at(-1)
  if (last === undefined) return document.contents?.range?.[0]
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const key = parent.items.find((item) => isScalar(item.key) && item.key.value === last)?.key
    return isScalar(key) ? key.range?.[0] : undefined
  }
  const node: unknown = document.getIn(path, true)
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? node.range[0]
    : undefined
}
