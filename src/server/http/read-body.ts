import { messageOf } from '../../contract/index.ts'
import type { Context, Env, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'

const MAX_JSON_BYTES = 10 * 1024 * 1024
const MAX_DEPTH = 100

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(
    413,
    'too-large',
    `The request is too large: the limit is ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
  )
}

/** A client that leaves is no fault of the server's, so nothing is logged; nobody reads the reply. */
async function* untilBrokenOff(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new Refusal(400, 'broken-off', `The request ended before all of it had arrived: ${messageOf(error)}`)
  }
}

/** Yields the body in chunks and throws at the limit, whatever length was announced. */
export async function* readPieces(c: Context, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const body = c.req.raw.body
  if (!body) return
  let size = 0
  for await (const piece of untilBrokenOff(body)) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** Without recursion: a deeply nested value would overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item).filter((inner) => typeof inner === 'object') : [],
    )
  }
  return false
}

async function readValue(c: Context): Promise<unknown> {
  const pieces: Uint8Array[] = []
  for await (const piece of readPieces(c, MAX_JSON_BYTES)) pieces.push(piece)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)))
  } catch (error) {
    throw new Refusal(400, 'bad-json', `The request is not JSON: ${messageOf(error)}`)
  }
  if (isTooDeep(value)) throw new Refusal(413, 'too-deep', `The request is nested deeper than ${MAX_DEPTH} levels.`)
  return value
}

function nameField(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `
}

/** Validates the JSON body of a route; a refusal names the invalid fields. */
export function checkJson<Schema extends z.ZodType<object>, E extends Env, P extends string>(
  schema: Schema,
): MiddlewareHandler<E, P, { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }> {
  return async (c, next) => {
    const parsed = schema.safeParse(await readValue(c))
    if (!parsed.success) throw refuseBody(parsed.error)
    c.req.addValidatedData('json', parsed.data)
    await next()
  }
}

function refuseBody({ issues }: z.ZodError): Refusal {
  const problems = issues.map(({ path, message }) => ({
    path: path.map((key) => (typeof key === 'number' ? key : String(key))),
    message,
  }))
  const message = problems.map((problem) => `${nameField(problem.path)}${problem.message}`).join('; ')
  return new Refusal(422, 'invalid', message, problems)
}
