import type {
  AttemptEnd,
  CellKey,
  CellResult,
  ModelAnswer,
  RunHeader,
  ScoringResult,
  Storage,
  Suite,
} from '../../contract/index.ts'

export const suite: Suite = {
  name: 'Capitals',
  systemPrompt: 'Answer in one word.',
  testCases: [
    { id: 'france', prompt: 'Capital of France?', expectedOutput: 'Paris', scoringMethod: 'exact-match', weight: 1 },
    { id: 'italy', prompt: 'Capital of Italy?', expectedOutput: 'Rome', scoringMethod: 'exact-match', weight: 2 },
  ],
}

export const header = (id: string, more: Partial<RunHeader> = {}): RunHeader => ({
  id,
  kind: 'suite',
  models: ['good', 'poor'],
  startedAt: 1_700_000_000_000,
  ...more,
})

export const cellsOf = (cases: string[], models: string[]) =>
  cases.flatMap((testCaseId) => models.map((modelId) => ({ testCaseId, modelId })))

export const cell = (runId: string, testCaseId = 'france', modelId = 'good'): CellKey => ({
  runId,
  testCaseId,
  modelId,
})

export const fullAnswer: ModelAnswer = {
  outcome: 'truncated',
  response: 'Paris, of cour',
  reasoning: 'The user wants a capital.',
  toolCalls: [{ name: 'look_up', arguments: { country: 'France', nested: [1, { deep: null }] } }],
  promptTokens: 12,
  completionTokens: 7,
  cost: 0.000_123_4,
  latencyMs: 812.25,
  firstTokenMs: 201.5,
  finishReason: 'length',
  leftOut: ['temperature'],
  tokenDetails: { cachedPrompt: 8, reasoning: 3 },
  cachedAt: 1_699_000_000_000,
}

/** A result as read without texts (src/contract/ports/storage.ts): only its numbers. */
export function withoutTexts({ score, error, ...rest }: CellResult): CellResult {
  const judgesOf = ({ judges }: Pick<ScoringResult, 'judges'>) =>
    judges && { judges: judges.map((verdict) => ({ ...verdict, reasoning: '' })) }
  const numbersOf = ({ score: value, confidence, rawScore, maxScore }: ScoringResult) => ({
    score: value,
    confidence,
    rawScore,
    maxScore,
  })
  const checks = score?.checks?.map((check) => ({
    scoringMethod: check.scoringMethod,
    weight: check.weight,
    ...numbersOf(check),
    ...judgesOf(check),
  }))
  const stripped: CellResult = {
    ...rest,
    response: undefined,
    toolCalls: undefined,
    error: error?.slice(0, 300),
    score: score && { ...numbersOf(score), ...judgesOf(score), ...(checks && { checks }) },
  }
  return JSON.parse(JSON.stringify(stripped))
}

export const ended = (more: Partial<AttemptEnd> = {}): AttemptEnd => ({
  endedAt: 1_700_000_001_000,
  outcome: 'ok',
  ...more,
})

export const plainAnswer = (response = 'Paris'): ModelAnswer => ({ outcome: 'ok', response, latencyMs: 100 })

export const startAttempt = (storage: Storage, key: CellKey, purpose: 'answer' | 'judge' = 'answer') =>
  storage.startAttempt({
    ...key,
    purpose,
    askedModel: purpose === 'judge' ? 'judge-model' : key.modelId,
    startedAt: 1_700_000_000_500,
  })

/** Writes the attempt and the answer of a cell, as the engine does. */
export async function answerCell(
  storage: Storage,
  key: CellKey,
  { answer = plainAnswer(), end = ended() }: { answer?: ModelAnswer; end?: AttemptEnd } = {},
) {
  const id = await startAttempt(storage, key)
  await storage.saveAnswer(id, end, key, answer)
  return id
}

/** Creates a run with the suite's two cases and two models. */
export async function createSample(storage: Storage, id: string, more: Partial<RunHeader> = {}): Promise<void> {
  await storage.createRun(header(id, more), cellsOf(['france', 'italy'], ['good', 'poor']))
}

/** Texts that have broken programs before. */
export const hostileTexts = [
  '\0',
  'a\0b\0',
  '\uD800',
  'x\uDC00y\uD83D',
  '\u001A',
  '\u001A0000',
  '\u001AD800\0',
  "'; DROP TABLE runs; --",
  '"',
  '`',
  '\\',
  '%_',
  '?',
  '$1',
  ':name',
  '__proto__',
  'constructor',
  ' ',
  '\r\n\t',
  '\uFEFFbom',
  '\uFFFD',
  '😀',
  'é'.normalize('NFD'),
  'null',
  '{}',
  '\u2028',
]
