import {
  ScoringError,
  type CellKey,
  type Judging,
  type ModelAnswer,
  type PairwiseComparison,
  type ScoringResult,
  type Storage,
  type Unscored,
} from '../../contract/index.ts'
import { compareAnswers, scoreComparisons, settlePair, turnOutcome, type PairOutcome } from '../../scoring/pairwise.ts'
import { discloseCached } from '../requesting/disclose-cached.ts'
import { readAnswer } from '../stored-run.ts'
import { taskOf, type Contestant, type PlannedCase } from '../plan.ts'
import { listCaseVotes } from './votes.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'

const missingSchema = z.array(z.object({ judgeModelId: z.string(), reason: z.string() }))

const outcomeSchema = z.object({
  opponentId: z.string(),
  score: z.number(),
  judges: z
    .array(z.object({ judgeModelId: z.string(), score: z.number(), isConsistent: z.boolean(), reasoning: z.string() }))
    .optional(),
  missingJudges: missingSchema.optional(),
  notes: z.string().optional(),
})

/** A model's name may be longer than that of an artifact. */
function pairFile(opponentId: string): string {
  return `pair-${createHash('sha256').update(opponentId).digest('hex').slice(0, 32)}.json`
}

/** Stored as soon as a pair is judged: a killed process must not pay for its comparisons again. */
async function savePair(cell: CellKey, opponentId: string, outcome: PairOutcome, storage: Storage): Promise<void> {
  await storage.saveArtifact(cell, {
    name: pairFile(opponentId),
    mediaType: 'application/json',
    content: new TextEncoder().encode(JSON.stringify({ opponentId, ...outcome })),
  })
}

async function loadPair(cell: CellKey, opponentId: string, storage: Storage): Promise<PairOutcome | undefined> {
  const artifact = await storage.loadArtifact(cell, pairFile(opponentId))
  if (!artifact) return undefined
  const { opponentId: stored, ...outcome } = outcomeSchema.parse(JSON.parse(new TextDecoder().decode(artifact.content)))
  return stored === opponentId ? outcome : undefined
}

/** What comparing needs of a run. */
export interface CompareTools {
  cases: ReadonlyMap<string, PlannedCase>
  contestants: readonly Contestant[]
  storage: Storage
  random: () => number
  /** Pairs that are judged at once. */
  concurrency: number
  /** Requests to judges are charged to the cell. */
  judgingOf(cell: CellKey): Judging
}

/** One model's answer to the case. */
interface Compared {
  cell: CellKey
  contestant: Contestant
  answer: ModelAnswer
}

interface ComparedPair {
  a: Compared
  b: Compared
}

type Judged = ComparedPair & ({ outcome: PairOutcome } | { failure: ScoringError })

async function loadAnswers(runId: string, testCaseId: string, tools: CompareTools): Promise<Compared[]> {
  const loaded = await Promise.all(
    tools.contestants.map(async (contestant) => {
      const cell = { runId, testCaseId, modelId: contestant.id }
      const stored = await tools.storage.loadCell(cell)
      const answer = stored && (stored.answer ?? readAnswer(stored.result))
      return answer ? [{ cell, contestant, answer }] : []
    }),
  )
  return loaded.flat()
}

function pairUp(answers: readonly Compared[]): ComparedPair[] {
  return answers.flatMap((a, index) => answers.slice(index + 1).map((b) => ({ a, b })))
}

/** What both were asked; variants that ask it differently are compared by the case's own prompt. */
function taskOfPair(planned: PlannedCase, { a, b }: ComparedPair): string {
  const [first, second] = [taskOf(planned, a.contestant), taskOf(planned, b.contestant)]
  return first === second || planned.compiled.task === '' ? first : planned.compiled.task
}

async function judgePair(pair: ComparedPair, planned: PlannedCase, tools: CompareTools): Promise<PairOutcome> {
  const { a, b } = pair
  const [check] = planned.compiled.checks
  const { preference } = check!.options
  const [judgingOfA, judgingOfB] = [tools.judgingOf(a.cell), tools.judgingOf(b.cell)]
  const { watch, withAge } = discloseCached()
  const outcome = await compareAnswers(
    {
      prompt: taskOfPair(planned, pair),
      expectedOutput: check!.expectedOutput,
      ...(typeof preference === 'string' && { preference }),
      a: a.answer.response,
      b: b.answer.response,
    },
    { ...judgingOfA, callWithAFirst: watch(judgingOfA.callModel), callWithBFirst: watch(judgingOfB.callModel) },
    tools.random,
  )
  return withAge(outcome)
}

/** Judges the pair, unless its result is stored. */
async function decidePair(
  pair: ComparedPair,
  planned: PlannedCase,
  tools: CompareTools,
  { isFresh }: CompareOptions,
): Promise<Judged> {
  const { storage } = tools
  const { a, b } = pair
  const stored = isFresh ? undefined : await loadPair(a.cell, b.cell.modelId, storage)
  if (stored) return { ...pair, outcome: stored }
  try {
    const outcome = await judgePair(pair, planned, tools)
    await savePair(a.cell, b.cell.modelId, outcome, storage)
    return { ...pair, outcome }
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    return { ...pair, failure: error }
  }
}

/** After the first error that stops the run no new pair is begun, and those in progress are waited for. */
async function decidePairs(
  pairs: readonly ComparedPair[],
  planned: PlannedCase,
  tools: CompareTools,
  options: CompareOptions,
): Promise<Judged[]> {
  const judged: Judged[] = []
  const waiting = pairs.entries()
  const stops: unknown[] = []
  const work = async () => {
    for (const [index, pair] of waiting) {
      if (stops.length > 0) return
      try {
        judged[index] = await decidePair(pair, planned, tools, options)
      } catch (error) {
        stops.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: tools.concurrency }, work))
  if (stops.length > 0) throw stops[0]
  return judged
}

/** What people said about the pairs of the case so far. */
async function readVotes(pairs: readonly ComparedPair[], tools: CompareTools): Promise<Judged[]> {
  const [first] = pairs
  if (!first) return []
  const votes = await listCaseVotes(first.a.cell, tools.storage)
  return pairs.flatMap((pair) => {
    const settled = settlePair({ a: pair.a.answer.response, b: pair.b.answer.response })
    const outcome = settled ?? votes.outcomeOf(pair.a.cell.modelId, pair.b.cell.modelId)
    return outcome ? [{ ...pair, outcome }] : []
  })
}

/** The comparisons of one answer, and why others are missing. */
function gather(modelId: string, judged: readonly Judged[]) {
  const comparisons: PairwiseComparison[] = []
  const failures: ScoringError[] = []
  for (const pair of judged) {
    const isA = pair.a.cell.modelId === modelId
    if (!isA && pair.b.cell.modelId !== modelId) continue
    if ('failure' in pair) failures.push(pair.failure)
    else
      comparisons.push({
        opponentId: (isA ? pair.b : pair.a).cell.modelId,
        ...(isA ? pair.outcome : turnOutcome(pair.outcome)),
      })
  }
  return { comparisons, failures }
}

function scoreAnswer(
  { cell, answer }: Compared,
  judged: readonly Judged[],
  isVoted: boolean,
): ScoringResult | { unscored: Unscored } {
  const { comparisons, failures } = gather(cell.modelId, judged)
  if (comparisons.length === 0 && failures.length > 0) {
    const failure = failures.find(({ code }) => code === 'judge-failed') ?? failures[0]!
    return { unscored: { code: failure.code, message: failure.message } }
  }
  if (comparisons.length === 0)
    return {
      unscored: {
        code: isVoted ? 'not-judged' : 'not-compared',
        message: isVoted
          ? 'people compare these answers: nobody has voted on this one yet'
          : 'no other model answered this case, so there is nothing to compare the answer with',
      },
    }
  const leftOut = failures.length === 0 ? [] : [`${failures.length} more could not be judged`]
  return scoreComparisons(answer.response, comparisons, leftOut)
}

export interface CompareOptions {
  /** Judges every pair again, instead of keeping stored results. */
  isFresh?: boolean
}

export interface ScoredCell {
  cell: CellKey
  score: ScoringResult | { unscored: Unscored }
}

/** Compares all answers to a case in pairs and scores each by the share that it won. Nothing but the pairs is stored. */
export async function compareCase(
  runId: string,
  testCaseId: string,
  tools: CompareTools,
  options: CompareOptions = {},
): Promise<ScoredCell[]> {
  const planned = tools.cases.get(testCaseId)!
  const isVoted = planned.compiled.checks[0]!.options['comparedBy'] === 'people'
  const answers = await loadAnswers(runId, testCaseId, tools)
  const pairs = pairUp(answers)
  const judged = isVoted ? await readVotes(pairs, tools) : await decidePairs(pairs, planned, tools, options)
  return answers.map((compared) => ({ cell: compared.cell, score: scoreAnswer(compared, judged, isVoted) }))
}
