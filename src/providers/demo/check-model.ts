import { InputError } from '../../contract/index.ts'

/** Separate from the models themselves, whose pages are large and loaded only for a request. */
export const DEMO_MODEL_IDS = ['demo/good', 'demo/fair', 'demo/poor', 'demo/judge', 'demo/coder'] as const

/** Throws `InputError`, with the list of those that exist. */
export function checkDemoModel(modelId: string): void {
  if (DEMO_MODEL_IDS.some((id) => id === modelId)) return
  throw new InputError(`There is no model "${modelId}": the simulated models are ${DEMO_MODEL_IDS.join(', ')}.`)
}
