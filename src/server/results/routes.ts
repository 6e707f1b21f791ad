import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { streamBytes } from './byte-stream.ts'
import { NO_SNIFFING } from './cases/case-routes.ts'
import { checkQuery } from '../http/read-query.ts'
import { exportFields } from './export-query.ts'
import { exportResults } from './export-results.ts'
import { createPairView } from './compare/pair-view.ts'
import { createJudgingView } from './judging-view.ts'
import { createReferenceView } from './reference-view.ts'
import { createResultsView, listRequestedModels } from './results-view.ts'
import { groupings, type Grouping } from '../../report/words/index.ts'
import { groupSchema } from './selection/case-groups.ts'
import { checkJson } from '../http/read-body.ts'
import { smallestDifferenceSchema } from './smallest-difference.ts'
import { selectionsOf } from './selection/selection-cache.ts'
import { chooseGroups } from '../../report/model/standings/groups.ts'
import type { GroupedStandings } from '../../report/model/standings/grouped-standings.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'
import { commonRequestFields, withoutDeciding } from '../../contract/index.ts'
import { addToResult, nameResult, readStoredRun } from '../../services/index.ts'
import { notFound } from '../http/refusal.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { findLastResult, shortenId } from './selection/resolve-selection.ts'

/** POST /api/results/:selection/again */
const runAgainSchema = z.object({
  /** Models to add to the result; default: all of its models run once more, as a result of their own. */
  models: commonRequestFields.models.optional(),
})

/**
 * Starts a new run, or series, with the stored request of the last run in the selection: the same cases of the same
 * version of the suite, even if the suite has changed since. Runs of other models become part of the result.
 */
async function runAgain(
  selection: string,
  { models }: z.output<typeof runAgainSchema>,
  context: ServerContext,
): Promise<StartedRun> {
  const { storage, runs } = context
  const { scores } = await selectionsOf(context).get(selection)
  const base = await findLastResult(storage, selection)
  const run = base && (await storage.loadRun(base.runId, { texts: false }))
  if (!run) throw notFound(`Run ${shortenId(base?.runId ?? selection)}`)
  const stored = readStoredRun(run)
  const { request } = stored
  if (!models)
    return runs.startSuite({
      ...stored,
      request: { ...request, orderSeed: undefined, models: listRequestedModels(scores.runs) },
    })
  // A model that is added is asked every case: what it is compared with was asked in another run.
  const started = await runs.startSuite({ ...stored, request: { ...withoutDeciding(request), models } })
  await addToResult(base.name, nameResult({ id: started.runId, seriesId: started.seriesId }), storage)
  return started
}

/** A comparison takes a third of a millisecond: more would block this thread for too long. */
const MAX_TESTS_INLINE = 100

/** GET /api/results/:selection/groups?by=category */
async function createGroupsView(
  selection: LoadedSelection,
  { by, smallestDifference }: { by: Grouping; smallestDifference?: number | undefined },
): Promise<GroupedStandings> {
  const { scores } = selection
  const chosen = chooseGroups(selection.facts, by)
  let grouped: GroupedStandings = { ...chosen, groups: [], tests: 0 }
  const models = scores.modelIds.length
  const tests = (chosen.groups.length * models * (models - 1)) / 2
  const thread = tests > MAX_TESTS_INLINE || isLarge(selection.summaries) ? startThread() : undefined
  await runJobIn(thread, { kind: 'groups', input: { scores, chosen, sameWithin: smallestDifference } }, (result) => {
    if (result.part === 'grouped') grouped = result.grouped
  })
  return grouped
}

const id = z.string().min(1)
const viewSchema = z.object({ smallestDifference: smallestDifferenceSchema, group: groupSchema })
const groupsSchema = z.object({ by: z.enum(groupings), smallestDifference: smallestDifferenceSchema })
const referenceSchema = z.object({ model: id, smallestDifference: smallestDifferenceSchema })
const pairSchema = z.object({ a: id, b: id, smallestDifference: smallestDifferenceSchema })
const exportSchema = z.object(exportFields)

/** The results of stored runs. */
export function resultsRoutes(context: ServerContext) {
  const selections = selectionsOf(context)

  return new Hono()
    .get('/results/:selection', checkQuery(viewSchema), async (c) => {
      const options = c.req.valid('query')
      return c.json(await createResultsView(await selections.get(c.req.param('selection')), context, options))
    })
    .post('/results/:selection/again', checkJson(runAgainSchema), async (c) =>
      c.json(await runAgain(c.req.param('selection'), c.req.valid('json'), context), 201),
    )
    .get('/results/:selection/groups', checkQuery(groupsSchema), async (c) => {
      const query = c.req.valid('query')
      return c.json(await createGroupsView(await selections.get(c.req.param('selection')), query))
    })
    .get('/results/:selection/reference', checkQuery(referenceSchema), async (c) =>
      c.json(await createReferenceView(await selections.get(c.req.param('selection')), c.req.valid('query'))),
    )
    .get('/results/:selection/judging', async (c) =>
      c.json(await createJudgingView(await selections.get(c.req.param('selection')))),
    )
    .get('/results/:selection/compare', checkQuery(pairSchema), async (c) => {
      const pair = c.req.valid('query')
      return c.json(await createPairView(await selections.get(c.req.param('selection')), pair))
    })
    .get('/results/:selection/export', checkQuery(exportSchema), async (c) => {
      const { anonymous, withoutTexts, ...options } = c.req.valid('query')
      const { bytes, headers } = await exportResults(await selections.get(c.req.param('selection')), context, {
        ...options,
        isAnonymous: anonymous,
        isWithoutTexts: withoutTexts,
      })
      return c.body(streamBytes(bytes), 200, { 'content-length': String(bytes.length), ...headers, ...NO_SNIFFING })
    })
}

/** For the web app's client. */
export type ResultsRoutes = ReturnType<typeof resultsRoutes>
