import { Hono } from 'hono'
import { z } from 'zod'
import {
  playgroundExperimentSchema,
  playgroundPairSchema,
  playgroundSaveSchema,
  InputError,
  type PlaygroundExperiment,
  type RunInput,
  PLAYGROUND_NAME_PREFIX,
  type PlaygroundSave,
  PLAYGROUND_SUITE_PREFIX,
  runRequestSchema,
  type PlaygroundPair,
} from '../../contract/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { loadPlayground, loadStoredSuite, fillCase, recallPlayground, type Playground } from './load-playground.ts'
import { loadOutcome } from './outcome.ts'
import { startOf } from './start-view.ts'
import { editRequest, editSuite, keepAsCase, keepAsVariant, type WrittenSuite } from '../../services/index.ts'
import { estimateSuite, type RunEstimate } from '../runs/estimate.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { escapeSuiteVariables } from '../../import/suite-files/variables.ts'
import { saveSuite, type SuiteDocument } from '../suites/suite-documents.ts'
import { checkGivenSuite } from '../../import/suite-files/given-suite.ts'

const NAMES = ['A', 'B'] as const

/** The ids of its models are `model@A` and `model@B`; each input is a case. */
function makePairRun({ prompts, inputs, modelId }: PlaygroundPair): RunInput {
  const place = (prompt: string) =>
    inputs.length === 0 || /\{\{\s*input\s*\}\}/.test(prompt) ? prompt : `${prompt}\n\n{{input}}`
  const suite = checkGivenSuite({
    name: `${PLAYGROUND_NAME_PREFIX}two prompts`,
    variants: NAMES.map((name, index) => ({ name, prompt: place(prompts[index]!) })),
    testCases: (inputs.length === 0 ? [''] : inputs).map((input, index) => ({
      id: `input-${index + 1}`,
      vars: { input },
      scoringMethod: 'none',
    })),
  })
  const request = runRequestSchema.parse({ suiteId: `${PLAYGROUND_SUITE_PREFIX}two-prompts`, models: [modelId] })
  return { kind: 'playground', request, suite }
}

/** Calls no model. */
function estimatePair(pair: PlaygroundPair, context: ServerContext): Promise<RunEstimate> {
  return estimateSuite(makePairRun(pair), context)
}

/** An ordinary run of two variants, which is no run of any suite. */
async function startPair(pair: PlaygroundPair, context: ServerContext): Promise<StartedRun> {
  return context.runs.startSuite(makePairRun(pair))
}

/** POST /api/playground/:runId/save */
type KeptSuite = Pick<SuiteDocument, 'id' | 'version'>

/** The suite of the run with the change, as a suite of its own: without variants, and with its variables filled. */
function copySuite({ editable }: Playground, { edit, name }: PlaygroundSave): WrittenSuite {
  const { suite, problems } = editSuite(editable, { edit }, fillCase)
  if (problems.length > 0) throw new InputError(problems.join('\n'))
  const own = suite.name.slice(PLAYGROUND_NAME_PREFIX.length)
  return { ...(escapeSuiteVariables(suite) as WrittenSuite), name: name ?? `${own} (copy)` }
}

/** Keeps a change as a new version of the suite, or in a copy of the run's suite. */
async function keepEdit(runId: string, save: PlaygroundSave, context: ServerContext): Promise<KeptSuite> {
  const { storage } = context
  const playground = await recallPlayground(runId, save, context)
  const { run, editable } = playground
  if (save.as === 'copy') {
    const { id, version } = await saveSuite(storage, {
      id: context.createId(),
      suite: copySuite(playground, save),
      after: 0,
    })
    return { id, version }
  }
  const stored = await loadStoredSuite(run, context)
  if (!stored) throw new InputError('The suite is not stored, so it has no versions. Save a copy instead.')
  const suite =
    save.as === 'case'
      ? keepAsCase(stored.suite, editable, save.edit)
      : keepAsVariant(stored.suite, editable, { edit: save.edit, name: save.name ?? '' })
  const { id, version } = await saveSuite(storage, {
    id: stored.id,
    suite,
    after: save.after ?? stored.version,
    isExample: stored.isExample,
  })
  return { id, version }
}

interface EditedRun extends RunInput {
  problems: string[]
}

async function makeEditedRun(
  runId: string,
  experiment: PlaygroundExperiment,
  context: ServerContext,
): Promise<EditedRun> {
  const { run, editable } = await recallPlayground(runId, experiment, context)
  const request = editRequest(run, editable, experiment)
  return { kind: 'playground', request, isSelected: true, ...editSuite(editable, experiment, fillCase) }
}

/** Calls no model. */
async function estimateExperiment(
  runId: string,
  experiment: PlaygroundExperiment,
  context: ServerContext,
): Promise<RunEstimate> {
  const { problems, ...input } = await makeEditedRun(runId, experiment, context)
  const estimate = await estimateSuite(input, context)
  return { ...estimate, problems: [...problems, ...estimate.problems] }
}

/** An ordinary run: in the ledger, in the list of runs, and it can be stopped and resumed. */
async function startExperiment(
  runId: string,
  experiment: PlaygroundExperiment,
  context: ServerContext,
): Promise<StartedRun> {
  const { problems, ...input } = await makeEditedRun(runId, experiment, context)
  if (problems.length > 0) throw new InputError(problems.join('\n'))
  return context.runs.startSuite(input)
}

const id = z.string().min(1)
const answerSchema = z.object({ case: id, model: id })
const outcomeSchema = z.object({ case: id, model: id, experiment: id })

/** Running a stored case again with a change, and two prompts without a suite. */
export function playgroundRoutes(context: ServerContext) {
  return new Hono()
    .post('/playground/estimate', checkJson(playgroundPairSchema), async (c) =>
      c.json(await estimatePair(c.req.valid('json'), context)),
    )
    .post('/playground/pair', checkJson(playgroundPairSchema), async (c) =>
      c.json(await startPair(c.req.valid('json'), context), 201),
    )
    .get('/playground/:runId', checkQuery(answerSchema), async (c) => {
      const { case: testCaseId, model: modelId } = c.req.valid('query')
      const playground = await loadPlayground(c.req.param('runId'), { testCaseId, modelId }, context)
      return c.json(startOf(playground, await loadStoredSuite(playground.run, context)))
    })
    .post('/playground/:runId/estimate', checkJson(playgroundExperimentSchema), async (c) =>
      c.json(await estimateExperiment(c.req.param('runId'), c.req.valid('json'), context)),
    )
    .post('/playground/:runId/experiment', checkJson(playgroundExperimentSchema), async (c) =>
      c.json(await startExperiment(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
    .get('/playground/:runId/outcome', checkQuery(outcomeSchema), async (c) =>
      c.json(await loadOutcome(c.req.param('runId'), c.req.valid('query'), context)),
    )
    .post('/playground/:runId/save', checkJson(playgroundSaveSchema), async (c) =>
      c.json(await keepEdit(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
}

/** For the web app's client. */
export type PlaygroundRoutes = ReturnType<typeof playgroundRoutes>
