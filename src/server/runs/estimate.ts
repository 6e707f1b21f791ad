import { InputError, type RunRequest, type Suite, type RunInput } from '../../contract/index.ts'
import {
  drawInformative,
  estimateRun,
  fitsNoRequest,
  prepareRun,
  readAnswerLengths,
  type RunEstimate as RequestEstimate,
} from '../../services/index.ts'
import { describeBudget } from '../../report/words/index.ts'
import { refuseInternal } from '../access/refuse-internal.ts'
import { Refusal } from '../http/refusal.ts'
import type { ServerContext } from '../context.ts'
import { runsNeededFor } from '../suites/scorer-list.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { methodsOf } from '../suites/suite-summaries.ts'

/** POST /api/estimate: the most that a run would send and cost, and what prevents it from starting. */
export interface RunEstimate extends RequestEstimate {
  /** The seed's guidance on how often to run, by the suite's scoring methods. */
  runsNeeded: string
}

/** The estimate for a suite that cannot run as it is. */
function estimateNothing(message: string, { repeat }: RunRequest): RunEstimate {
  return {
    suite: '',
    cases: 0,
    repeat,
    cells: 0,
    models: [],
    judges: [],
    embeddings: [],
    users: [],
    requests: 0,
    mostRequests: 0,
    promptTokens: 0,
    cost: null,
    largestRequest: null,
    unknownPrices: [],
    problems: [message],
    runsNeeded: runsNeededFor([]),
  }
}

/** Calls no model. */
export async function estimateRequest(request: RunRequest, context: ServerContext): Promise<RunEstimate> {
  let suite: Suite
  try {
    suite = (await loadRunnableSuite(context.storage, request.suiteId)).suite
  } catch (error) {
    if (!(error instanceof InputError || (error instanceof Refusal && error.status === 422))) throw error
    return estimateNothing(error.message, request)
  }
  return estimateSuite({ kind: 'suite', request, suite }, context)
}

/** The same for a suite that is not stored. */
export async function estimateSuite(input: RunInput, context: ServerContext): Promise<RunEstimate> {
  await refuseInternal(input.request.endpoint, context)
  const tools = context.runTools()
  let drawn: RunInput
  try {
    drawn = await drawInformative(input, tools)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return estimateNothing(error.message, input.request)
  }
  const prepared = await prepareRun(drawn, tools, { isEstimate: true })
  const suite = { id: input.request.suiteId, name: prepared.suite.name }
  const lengths = await readAnswerLengths(suite, context.storage)
  const estimate = await estimateRun(prepared, await tools.loadTokenCounter(), lengths)
  const refusal = fitsNoRequest(estimate) ? describeBudget(estimate) : undefined
  return {
    ...estimate,
    ...(refusal !== undefined && { problems: [...estimate.problems, refusal] }),
    runsNeeded: runsNeededFor(new Set(prepared.suite.testCases.flatMap(methodsOf))),
  }
}
