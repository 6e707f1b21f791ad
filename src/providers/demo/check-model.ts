import { InputError, type ModelUse } from '../../contract/index.ts'

/** Separate from the models themselves, whose pages are large and loaded only for a request. */
const DEMO_MODEL_IDS = ['demo/good', 'demo/fair', 'demo/poor', 'demo/judge', 'demo/coder'] as const

/** Each has one fault of known size. */
export const DEMO_FAULTY_JUDGE_IDS = [
  'demo/judge-lenient',
  'demo/judge-noisy',
  'demo/judge-first',
  'demo/judge-wordy',
  'demo/judge-selfish',
  'demo/judge-gullible',
] as const

/** Names the models that exist; the faulty judges only to whoever looks for a judge. */
export function explainMissingModel(modelId: string): string {
  const models = `${modelId}: no such model\nThe simulated models are ${DEMO_MODEL_IDS.join(', ')}.`
  if (!modelId.startsWith('demo/judge')) return models
  return `${models} Judges with a known fault are ${DEMO_FAULTY_JUDGE_IDS.join(', ')}.`
}

export const DEMO_EMBEDDING_MODEL = 'demo/embedding'

/** Plays the users of agents. */
export const DEMO_USER = 'demo/user'

/** Throws `InputError`, with the list of those that exist. */
export function checkDemoModel(modelId: string, use: ModelUse = 'answers'): void {
  if (use === 'embeddings') {
    if (modelId !== DEMO_EMBEDDING_MODEL)
      throw new InputError(
        `"${modelId}" gives no embeddings: the simulated model that does is ${DEMO_EMBEDDING_MODEL}.`,
      )
    return
  }
  if (modelId === DEMO_EMBEDDING_MODEL)
    throw new InputError(`"${modelId}" gives embeddings, not answers: it is for embeddingModel of a suite.`)
  if ([...DEMO_MODEL_IDS, DEMO_USER, ...DEMO_FAULTY_JUDGE_IDS].some((id) => id === modelId)) return
  throw new InputError(explainMissingModel(modelId))
}
