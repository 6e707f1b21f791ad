import type { Context } from 'hono'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'

const MOST_JSON_BYTES = 10 * 1024 * 1024
const MOST_DEPTH = 100

function tooLarge(mostBytes: number): Refusal {
  return new Refusal(
    413,
    'too-large',
    `The request is larger than the ${Math.floor(mostBytes / 1024 / 1024)} MB that are taken.`,
  )
}

/** Gives the body piece by piece and stops at the limit, whatever length was announced. */
export async function* readPieces(c: Context, mostBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes)
  const body = c.req.raw.body
  if (!body) return
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > mostBytes) throw tooLarge(mostBytes)
    yield piece
  }
}

/** Without recursion: the value itself may be nested deeper than the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item).filter((inner) => typeof inner === 'object') : [],
    )
  }
  return false
}

async function readValue(c: Context): Promise<unknown> {
  const pieces: Uint8Array[] = []
  for await (const piece of readPieces(c, MOST_JSON_BYTES)) pieces.push(piece)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)))
  } catch (error) {
    throw new Refusal(
      400,
      'bad-json',
      `The request is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (isTooDeep(value)) throw new Refusal(413, 'too-deep', `The request is nested deeper than ${MOST_DEPTH} levels.`)
  return value
}

function nameField(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `
}

/** The body, checked; what does not fit is refused with the fields named. */
export async function readJson<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readValue(c))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((key) => (typeof key === 'number' ? key : String(key))),
    message,
  }))
  throw new Refusal(
    422,
    'invalid',
    problems.map(({ path, message }) => `${nameField(path)}${message}`).join('; '),
    problems,
  )
}
