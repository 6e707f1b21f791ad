import { Hono } from 'hono'
import { z } from 'zod'
import { changeFilters } from '../../../report/comparing/case-changes.ts'
import type { ServerContext } from '../../context.ts'
import { checkQuery, strictPage } from '../../http/read-query.ts'
import { streamBytes } from '../byte-stream.ts'
import { exportFields } from '../export-query.ts'
import { exportComparison } from '../export-results.ts'
import { smallestDifferenceSchema } from '../smallest-difference.ts'
import { selectionsOf } from '../selection/selection-cache.ts'
import { createChangedCases, createComparedCase, type PairQuery } from './changed-cases.ts'
import { createRunsComparison } from './compare-view.ts'

const id = z.string().min(1)

/** An empty choice counts as none. */
const optionalModel = z
  .string()
  .transform((text) => (text === '' ? undefined : text))
  .optional()

const sides = {
  a: id,
  b: id,
  /** `include`: cases that changed between the two are compared like all others. */
  changed: z.enum(['', 'include']).default(''),
}
const selectionsSchema = z.object({
  ...sides,
  modelA: optionalModel,
  modelB: optionalModel,
  smallestDifference: smallestDifferenceSchema,
})
const exportSchema = z.object({ ...sides, modelA: optionalModel, modelB: optionalModel, ...exportFields })
const pair = { ...sides, modelA: id, modelB: id, filter: z.enum(changeFilters).default('all') }
const casesSchema = z.object({
  ...pair,
  ...strictPage,
})
const caseSchema = z.object({ ...pair, id })

function readPair({
  modelA,
  modelB,
  filter,
  changed,
}: z.output<typeof caseSchema> | z.output<typeof casesSchema>): PairQuery {
  return { pair: [modelA, modelB], filter, isChangedCompared: changed === 'include' }
}

/** Models of two runs or series side by side. */
export function compareRoutes(context: ServerContext) {
  const selections = selectionsOf(context)
  const load = async ({ a, b }: { a: string; b: string }) => [await selections.get(a), await selections.get(b)] as const
  return new Hono()
    .get('/compare', checkQuery(selectionsSchema), async (c) => {
      const query = c.req.valid('query')
      const { modelA, modelB, changed, smallestDifference } = query
      const [a, b] = await load(query)
      return c.json(
        await createRunsComparison(a, b, {
          context,
          chosen: { before: modelA, after: modelB },
          isChangedCompared: changed === 'include',
          smallestDifference,
        }),
      )
    })
    .get('/compare/export', checkQuery(exportSchema), async (c) => {
      const { a, b, modelA, modelB, changed, anonymous, withoutTexts, ...options } = c.req.valid('query')
      const { bytes, headers } = await exportComparison(await load({ a, b }), context, {
        ...options,
        chosen: { modelA, modelB },
        isChangedCompared: changed === 'include',
        isAnonymous: anonymous,
        isWithoutTexts: withoutTexts,
      })
      return c.body(streamBytes(bytes), 200, {
        'content-length': String(bytes.length),
        ...headers,
        'x-content-type-options': 'nosniff',
      })
    })
    .get('/compare/cases', checkQuery(casesSchema), async (c) => {
      const query = c.req.valid('query')
      const { offset, limit } = query
      return c.json(await createChangedCases(await load(query), { ...readPair(query), offset, limit }))
    })
    .get('/compare/case', checkQuery(caseSchema), async (c) => {
      const query = c.req.valid('query')
      return c.json(await createComparedCase(await load(query), context.storage, { ...readPair(query), id: query.id }))
    })
}

/** For the web app's client. */
export type CompareRoutes = ReturnType<typeof compareRoutes>
