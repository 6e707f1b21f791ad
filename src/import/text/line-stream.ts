import { InputError, messageOf } from '../../contract/index.ts'
import { parseLooseJson } from './loose-json.ts'
import { refuseDeepJson, refuseWideJson } from './nesting.ts'
import { skipByteOrderMark } from './split-json.ts'

const MAX_LINE_BYTES = 256 * 1024 * 1024
const NEW_LINE = 0x0a

interface TextLine {
  /** From 1. */
  line: number
  text: string
}

/** Reads text line by line, without empty lines; memory holds one line at a time. */
async function* readLines(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<TextLine> {
  let held: Buffer[] = []
  let size = 0
  let line = 1
  const decode = (): string => {
    const bytes = Buffer.concat(held)
    held = []
    size = 0
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (error) {
      throw new InputError(`${name}:${line}: is not UTF-8 text; save the file as UTF-8`, { cause: error })
    }
  }
  for await (const chunk of skipByteOrderMark(chunks, name)) {
    let start = 0
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, start)) {
      held.push(chunk.subarray(start, end))
      const text = decode()
      if (text.trim() !== '') yield { line, text }
      line += 1
      start = end + 1
    }
    const rest = chunk.subarray(start)
    size += rest.length
    if (size > MAX_LINE_BYTES)
      throw new InputError(
        `${name}:${line}: the line is larger than ${MAX_LINE_BYTES / 1024 ** 2} MB; is it JSON lines?`,
      )
    // The chunk's memory may be used again for the next one.
    if (rest.length > 0) held.push(Buffer.from(rest))
  }
  const text = decode()
  if (text.trim() !== '') yield { line, text }
}

export interface JsonRecordLine {
  line: number
  value: Record<string, unknown>
}

/** Reads one JSON object a line, `NaN` and `Infinity` of Python's included. */
export async function* readRecordLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<JsonRecordLine> {
  for await (const { line, text } of readLines(chunks, name)) {
    refuseWideJson(text, `${name}:${line}: the line`)
    let value: unknown
    try {
      value = parseLooseJson(text)
    } catch (error) {
      const reason = messageOf(error)
      throw new InputError(`${name}:${line}: is not JSON: ${reason}; is the file cut off?`, { cause: error })
    }
    refuseDeepJson(value, text, { file: name, line })
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InputError(`${name}:${line}: is not a JSON object { … }`)
    yield { line, value: { ...value } }
  }
}
