import { cellName, type RunFilter, type Storage, type StoredAttempt } from '../contract/index.ts'
import { meanOf } from '../statistics/index.ts'

/** How long answers to a suite were in its newest runs, in tokens. */
export interface AnswerLengths {
  /** How many runs these are. */
  runs: number
  /** The mean of each model. */
  models: ReadonlyMap<string, number>
  /** The mean of all answers, for a model that was not run yet. */
  all: number
  /** The prompt tokens of a whole conversation: the mean of each model, and of all. */
  prompts: { models: ReadonlyMap<string, number>; all: number }
  /** The mean of the judges' replies; undefined if none was stored. */
  judges: number | undefined
  /** The tokens of the simulated user in a whole conversation: the mean of the newest run that has one. */
  users: { promptTokens: number; completionTokens: number } | undefined
}

const MAX_RUNS = 5

/** More would take longer than they say: reading a cell takes some microseconds. */
const MAX_CELLS = 5000

/** Undefined if the suite has no run with answers whose length is known. */
export async function readAnswerLengths(
  suite: NonNullable<RunFilter['suite']>,
  storage: Storage,
): Promise<AnswerLengths | undefined> {
  const lengths = new Map<string, number[]>()
  const prompts = new Map<string, number[]>()
  let runs = 0
  let cells = 0
  let judges: number | undefined
  let users: AnswerLengths['users']
  for (const found of await storage.listRuns({ suite, kinds: ['suite', 'agent'], limit: MAX_RUNS })) {
    cells += found.cells.total
    if (cells > MAX_CELLS && runs > 0) break
    if (found.status === 'running' || found.cells.total > MAX_CELLS) continue
    const run = await storage.loadRun(found.id, { texts: false, suite: false })
    const answers = (run?.results ?? []).flatMap(({ modelId, completionTokens, promptTokens = 0 }) =>
      completionTokens === undefined ? [] : [{ modelId, completionTokens, promptTokens }],
    )
    if (answers.length === 0) continue
    runs++
    for (const [modelId, ofModel] of Map.groupBy(answers, (answer) => answer.modelId)) {
      lengths.set(modelId, [...(lengths.get(modelId) ?? []), ...ofModel.map((answer) => answer.completionTokens)])
      prompts.set(modelId, [...(prompts.get(modelId) ?? []), ...ofModel.map((answer) => answer.promptTokens)])
    }
    if (judges !== undefined && users !== undefined) continue
    const attempts = await storage.loadAttempts(found.id)
    judges ??= readJudgeLength(attempts)
    users ??= readUserLengths(attempts)
  }
  if (runs === 0) return undefined
  const models = new Map([...lengths].map(([modelId, ofModel]) => [modelId, meanOf(ofModel)]))
  const ofPrompts = new Map([...prompts].map(([modelId, ofModel]) => [modelId, meanOf(ofModel)]))
  return {
    runs,
    models,
    all: meanOf([...lengths.values()].flat()),
    prompts: { models: ofPrompts, all: meanOf([...prompts.values()].flat()) },
    judges,
    users,
  }
}

function readJudgeLength(attempts: readonly StoredAttempt[]): number | undefined {
  const replies = attempts.flatMap(({ purpose, end }) =>
    purpose === 'judge' && end?.completionTokens !== undefined ? [end.completionTokens] : [],
  )
  return replies.length === 0 ? undefined : meanOf(replies)
}

function readUserLengths(attempts: readonly StoredAttempt[]): AnswerLengths['users'] {
  const counted = attempts.filter(({ purpose, end }) => purpose === 'user' && end?.completionTokens !== undefined)
  if (counted.length === 0) return undefined
  const conversations = new Set(counted.map(cellName)).size
  const sumOf = (tokens: readonly (number | undefined)[]) => tokens.reduce<number>((sum, one = 0) => sum + one, 0)
  return {
    promptTokens: sumOf(counted.map(({ end }) => end?.promptTokens)) / conversations,
    completionTokens: sumOf(counted.map(({ end }) => end?.completionTokens)) / conversations,
  }
}
