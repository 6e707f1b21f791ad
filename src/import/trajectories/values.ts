import { isJsonObject } from '../../contract/index.ts'
import { field, textField } from '../tool-results/formats/fields.ts'

/** The text of a message's content: a text, or parts of which only texts are kept. */
export function readParts(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : isJsonObject(content) ? [content] : []
  return parts
    .map((part) => (typeof part === 'string' ? part : (textField(part, 'text') ?? textField(part, 'content') ?? '')))
    .filter((text) => text !== '')
    .join('\n')
}

/** Reads a number, also one written as text. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The first of several fields that is there and not null. */
export function firstField(holder: unknown, ...names: readonly string[]): unknown {
  for (const name of names) {
    const found = field(holder, name)
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

export function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

export function firstText(holder: unknown, ...names: readonly string[]): string | undefined {
  return names.map((name) => textField(holder, name)).find((text) => text !== undefined && text !== '')
}

/** Tools as OpenAI describes them, or flat. */
export function readOfferedTools(list: unknown): { name: string; parameters?: Record<string, unknown> }[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const tools = list.flatMap((offered) => {
    const inside = field(offered, 'function') ?? offered
    const name = textField(inside, 'name')
    const parameters = firstField(inside, 'parameters', 'input_schema', 'inputSchema')
    return name === undefined ? [] : [{ name, ...(isJsonObject(parameters) && { parameters }) }]
  })
  return tools.length > 0 ? tools : undefined
}
