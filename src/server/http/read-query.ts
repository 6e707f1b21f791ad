import type { Env, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

const DEFAULT_PAGE = 50
const MAX_PAGE = 200

type QueryHandler<E extends Env, P extends string, Schema extends z.ZodType> = MiddlewareHandler<
  E,
  P,
  { in: { query: z.input<Schema> }; out: { query: z.output<Schema> } }
>

function refuseQuery({ issues }: z.ZodError): Refusal {
  const problems = issues.map(({ path, message }) => ({ path: path.map(String), message }))
  const message = problems.map((problem) => `${problem.path.join('.')}: ${problem.message}`).join('; ')
  return new Refusal(400, 'bad-query', message, problems)
}

/** Validates the query of a route; a refusal names the invalid parameter, unless `refuse` words it. */
export function checkQuery<Schema extends z.ZodObject, E extends Env, P extends string>(
  schema: Schema,
  refuse: (error: z.ZodError) => Refusal = refuseQuery,
): QueryHandler<E, P, Schema> {
  return async (c, next) => {
    const parsed = schema.safeParse(c.req.query())
    if (!parsed.success) throw refuse(parsed.error)
    c.req.addValidatedData('query', parsed.data)
    await next()
  }
}

/** An empty field counts as absent. */
const wholeNumber = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{0,9}$/)
    .transform((text) => (text === '' ? fallback : Math.min(Number(text), max)))
    .default(fallback)

/** Which page of a list is requested, for a schema that has more fields. */
export const pageFields = {
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  limit: wholeNumber(DEFAULT_PAGE, MAX_PAGE),
}

export function refusePage(): Refusal {
  return new Refusal(400, 'bad-number', 'offset and limit must be whole numbers.')
}

const pageSchema = z.object(pageFields)

/** Which page of a list is requested. */
export function checkPage<E extends Env, P extends string>(): QueryHandler<E, P, typeof pageSchema> {
  return checkQuery(pageSchema, refusePage)
}

const strictWholeNumber = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(fallback)

/** A page of a long list; what is not a whole number is refused. */
export const strictPage = {
  offset: strictWholeNumber(0),
  limit: strictWholeNumber(DEFAULT_PAGE).pipe(z.number().min(1).max(MAX_PAGE)),
}
