import { InputError, type PlaygroundAsk, type RunInput } from '../../contract/index.ts'
import { editRequest, editSuite } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { estimateSuite, type RunEstimate } from '../runs/estimate.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { fillCase, recallPlayground } from './load-playground.ts'

interface EditedRun extends RunInput {
  problems: string[]
}

async function makeRun(runId: string, ask: PlaygroundAsk, context: ServerContext): Promise<EditedRun> {
  const { run, editable } = await recallPlayground(runId, ask, context)
  const request = editRequest(run, editable, ask)
  return { kind: 'playground', request, isSelected: true, ...editSuite(editable, ask, fillCase) }
}

/** Calls no model. */
export async function estimateAsk(runId: string, ask: PlaygroundAsk, context: ServerContext): Promise<RunEstimate> {
  const { problems, ...input } = await makeRun(runId, ask, context)
  const estimate = await estimateSuite(input, context)
  return { ...estimate, problems: [...problems, ...estimate.problems] }
}

/** An ordinary run: in the ledger, in the list of runs, and it can be stopped and resumed. */
export async function startAsk(runId: string, ask: PlaygroundAsk, context: ServerContext): Promise<StartedRun> {
  const { problems, ...input } = await makeRun(runId, ask, context)
  if (problems.length > 0) throw new InputError(problems.join('\n'))
  return context.runs.startSuite(input)
}
