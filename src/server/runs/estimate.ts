import { InputError, type RunRequest, type Suite } from '../../contract/index.ts'
import { estimateRun, prepareRun } from '../../services/index.ts'
import type { RunEstimate } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import type { ServerParts } from '../parts.ts'
import { runsNeededFor } from '../suites/scorer-list.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { methodsOf } from '../suites/suite-summaries.ts'

/** For a suite that cannot be run as it is. */
function describeProblem(message: string, { repeat }: RunRequest): RunEstimate {
  return {
    suite: '',
    cases: 0,
    repeat,
    cells: 0,
    models: [],
    judges: [],
    requests: 0,
    mostRequests: 0,
    promptTokens: 0,
    cost: null,
    unknownPrices: [],
    problems: [message],
    runsNeeded: runsNeededFor([]),
  }
}

/** Asks no model. */
export async function estimateRequest(request: RunRequest, parts: ServerParts): Promise<RunEstimate> {
  let suite: Suite
  try {
    suite = (await loadRunnableSuite(parts.storage, request.suiteId)).suite
  } catch (error) {
    if (!(error instanceof InputError || (error instanceof Refusal && error.status === 422))) throw error
    return describeProblem(error.message, request)
  }
  const tools = parts.runTools()
  const prepared = await prepareRun(request, suite, tools, { isEstimate: true })
  const estimate = await estimateRun(prepared, await tools.loadTokenCounter())
  return { ...estimate, runsNeeded: runsNeededFor(new Set(prepared.suite.testCases.flatMap(methodsOf))) }
}
