import { InputError, type PlaygroundExperiment, type RunInput } from '../../contract/index.ts'
import { editRequest, editSuite } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { estimateSuite, type RunEstimate } from '../runs/estimate.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { fillCase, recallPlayground } from './load-playground.ts'

interface EditedRun extends RunInput {
  problems: string[]
}

async function makeRun(runId: string, experiment: PlaygroundExperiment, context: ServerContext): Promise<EditedRun> {
  const { run, editable } = await recallPlayground(runId, experiment, context)
  const request = editRequest(run, editable, experiment)
  return { kind: 'playground', request, isSelected: true, ...editSuite(editable, experiment, fillCase) }
}

/** Calls no model. */
export async function estimateExperiment(
  runId: string,
  experiment: PlaygroundExperiment,
  context: ServerContext,
): Promise<RunEstimate> {
  const { problems, ...input } = await makeRun(runId, experiment, context)
  const estimate = await estimateSuite(input, context)
  return { ...estimate, problems: [...problems, ...estimate.problems] }
}

/** An ordinary run: in the ledger, in the list of runs, and it can be stopped and resumed. */
export async function startExperiment(
  runId: string,
  experiment: PlaygroundExperiment,
  context: ServerContext,
): Promise<StartedRun> {
  const { problems, ...input } = await makeRun(runId, experiment, context)
  if (problems.length > 0) throw new InputError(problems.join('\n'))
  return context.runs.startSuite(input)
}
