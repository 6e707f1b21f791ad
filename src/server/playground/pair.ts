import {
  PLAYGROUND_NAME_PREFIX,
  PLAYGROUND_SUITE_PREFIX,
  runRequestSchema,
  type PlaygroundPair,
  type RunInput,
} from '../../contract/index.ts'
import { checkGivenSuite } from '../../import/suite-files/given-suite.ts'
import type { ServerContext } from '../context.ts'
import { estimateSuite, type RunEstimate } from '../runs/estimate.ts'
import type { StartedRun } from '../runs/run-manager.ts'

const NAMES = ['A', 'B'] as const

/** The ids of its models are `model@A` and `model@B`; each input is a case. */
function makeRun({ prompts, inputs, modelId }: PlaygroundPair): RunInput {
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
export function estimatePair(pair: PlaygroundPair, context: ServerContext): Promise<RunEstimate> {
  return estimateSuite(makeRun(pair), context)
}

/** An ordinary run of two variants, which is no run of any suite. */
export async function startPair(pair: PlaygroundPair, context: ServerContext): Promise<StartedRun> {
  return context.runs.startSuite(makeRun(pair))
}
