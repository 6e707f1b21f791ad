import { readNumeral } from '../../../contract/index.ts'
import { PythonFloat } from './python-values.ts'

/** The languages of BFCL's categories. In Java and JavaScript a value is the text of an expression. */
export type BfclLanguage = 'python' | 'java' | 'javascript'

/** Reads the text of a Java expression as the parameter's type; text that is not of this type stays text. */
export function readJavaValue(text: string, type: string, itemType?: string): unknown {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
      return /^-?\d+$/.test(text) ? readNumeral(text) : text
    case 'long':
      return /^-?\d+[lL]$/.test(text) ? readNumeral(text.slice(0, -1)) : text
    case 'float':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]$/.test(text) ? new PythonFloat(Number(text.slice(0, -1))) : text
    case 'double':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? new PythonFloat(Number(text)) : text
    case 'boolean':
      return readBoolean(text)
    case 'Array':
      return readJavaArray(text, itemType)
    case 'ArrayList':
      return readJavaList(text, itemType)
    case 'HashMap':
      return readJavaMap(text)
    default:
      return text
  }
}

function readBoolean(text: string): boolean | string {
  return text === 'true' ? true : text === 'false' ? false : text
}

/** `new int[]{1, 2}` */
function readJavaArray(text: string, itemType: string | undefined): unknown {
  const inside = /new\s+\w+\[\]\s*\{(.*?)\}/.exec(text)?.[1]
  if (inside === undefined) return text
  const items = splitItems(inside).filter((item) => item !== '')
  return items.map((item) => (itemType === undefined ? readJavaLiteral(item) : readJavaValue(item, itemType)))
}

/** `new ArrayList<>(Arrays.asList("a", "b"))` or `new ArrayList<>() {{ add("a"); }}` */
function readJavaList(text: string, itemType: string | undefined): unknown {
  const readItem = (item: string) => {
    if (itemType === 'String' || itemType === 'char') return item.slice(1, -1)
    return itemType === undefined ? readJavaLiteral(item) : readJavaValue(item, itemType)
  }
  const listed = /new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)/.exec(text)?.[1]
  if (listed !== undefined) return splitItems(listed).map(readItem)
  const added = /new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}/s.exec(text)?.[1]
  if (added !== undefined) return [...added.matchAll(/add\((.+?)\)/g)].map(([, item]) => readItem(item!.trim()))
  return /new\s+ArrayList<\w*>\(\)/.test(text) ? [] : text
}

/** `new HashMap<>() {{ put("a", 1); }}` */
function readJavaMap(text: string): unknown {
  const inside = /new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}/s.exec(text)?.[1]
  if (inside !== undefined)
    return Object.fromEntries(
      [...inside.matchAll(/put\("(.*?)",\s*(.*?)\)/g)].map(([, key, value]) => [key, readJavaLiteral(value!.trim())]),
    )
  return /new\s+HashMap<.*?>\s*\(\)/.test(text) ? {} : text
}

function readJavaLiteral(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^".*"$/s.test(text)) return text.slice(1, -1)
  if (/^-?\d+[lL]$/.test(text)) return readNumeral(text.slice(0, -1))
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]$/.test(text)) return new PythonFloat(Number(text.slice(0, -1)))
  return readNumberLiteral(text)
}

function splitItems(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

/** An integer if it is written as one, else a float, else the text itself. */
function readNumberLiteral(text: string): unknown {
  if (/^[+-]?\d+$/.test(text)) return readNumeral(text)
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? new PythonFloat(Number(text)) : text
}

/** Reads the text of a JavaScript expression as the parameter's type; text that is not of this type stays text. */
export function readJavaScriptValue(text: string, type: string, itemType?: string): unknown {
  switch (type) {
    case 'String':
      return isQuoted(text) ? text.slice(1, -1) : text
    case 'integer':
      return /^-?\d+$/.test(text) ? readNumeral(text) : text
    case 'float':
      return /^-?\d+(\.\d+)?$/.test(text) ? new PythonFloat(Number(text)) : text
    case 'Bigint':
      return /^-?\d+n$/.test(text) ? readNumeral(text.slice(0, -1)) : text
    case 'Boolean':
      return readBoolean(text)
    case 'array':
      return readJavaScriptArray(text.trim(), itemType)
    case 'dict':
      return readJavaScriptObject(text.trim())
    default:
      return text
  }
}

function isQuoted(text: string): boolean {
  return (text.startsWith('"') && text.endsWith('"')) || (text.startsWith("'") && text.endsWith("'"))
}

/** `[1, 2]` or `new Array(1, 2)`; of a list of lists, every inner list. */
function readJavaScriptArray(text: string, itemType: string | undefined): unknown {
  if (/^(\[\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\]|new\s+Array\(\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\))/.test(text))
    return [...text.matchAll(/\[(.*?)\]/g)].map(([, inner]) =>
      splitItems(inner!.trim().replace(/^\[/, '')).map(readJavaScriptLiteral),
    )
  const found = /^(?:\[(.*?)\]|new\s+Array\((.*?)\))/.exec(text)
  if (!found) return text
  const inside = (found[1] ?? found[2] ?? '').trim()
  if (inside === '') return []
  return splitItems(inside).map((item) =>
    itemType === undefined ? readJavaScriptLiteral(item) : readJavaScriptValue(item, itemType),
  )
}

/** `{a: 1, 'b': [2]}`, up to its first closing brace, as the official checker reads it. */
function readJavaScriptObject(text: string): unknown {
  if (text === '{}') return {}
  const inside = /^\{(.*?)\}/.exec(text)?.[1]
  if (inside === undefined) return text
  return Object.fromEntries(
    [...inside.matchAll(/([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)/g)].map(([, key, found]) => {
      const value = found!.trim()
      const read = /^\[.*\]$/s.test(value)
        ? readJavaScriptArray(value, undefined)
        : /^\{.*\}$/s.test(value)
          ? readJavaScriptObject(value)
          : readJavaScriptLiteral(trimQuotes(value))
      return [trimQuotes(key!.trim()), read]
    }),
  )
}

function trimQuotes(text: string): string {
  return text.replace(/^['"]+|['"]+$/g, '')
}

function readJavaScriptLiteral(given: string): unknown {
  const text = given.trim()
  if (text === 'true' || text === 'false') return text === 'true'
  return isQuoted(text) ? text.slice(1, -1) : readNumberLiteral(text)
}
