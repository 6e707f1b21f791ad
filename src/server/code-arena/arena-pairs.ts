import { randomBytes, randomInt } from 'node:crypto'
import { readArenaTask } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'
import type { ArenaIndex } from './arena-index.ts'
import { makePage, showPage, type MadePage, type PreviewView } from './preview-page.ts'
import { listVotes, saveVote, type Vote } from './votes.ts'

/** GET /api/code-arena/pair (?runId=): two pages without names, sides shuffled. 404 when no run has two pages that work. */
export interface ArenaPair {
  pairId: string
  runId: string
  prompt: string
  left: PreviewView
  right: PreviewView
  /** Pairs of this run not voted on yet, this one included. */
  remaining: number
}

/** POST /api/code-arena/votes */
export interface VoteResult {
  left: string
  right: string
  choice: 'left' | 'right' | 'tie' | 'both-bad'
}

/** Pairs handed out and not voted on yet; the oldest are forgotten. */
const MOST_PAIRS = 1000

type PairContext = Pick<ServerContext, 'storage' | 'previews' | 'runs'>

interface HandedOut {
  runId: string
  left: string
  right: string
}

interface WorkingPage {
  modelId: string
  page: MadePage
}

interface OpenPairs {
  runId: string
  prompt: string
  pairs: [WorkingPage, WorkingPage][]
  hasTwo: boolean
}

function keyOf(a: string, b: string): string {
  return JSON.stringify([a, b].sort())
}

function pairUp<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]))
}

/** Pairs of models within a run whose pages both work and that nobody has voted on. */
async function findOpenPairs(
  runId: string,
  { storage }: PairContext,
  votes: readonly Vote[],
): Promise<OpenPairs | undefined> {
  const run = await storage.loadRun(runId)
  const task = readArenaTask(run?.testSuiteSnapshot)
  if (!run || !task) return undefined
  const voted = new Set(votes.filter((vote) => vote.runId === runId).map(({ left, right }) => keyOf(left, right)))
  const isOpen = (a: { modelId: string }, b: { modelId: string }) => !voted.has(keyOf(a.modelId, b.modelId))
  const answered = run.results.flatMap(({ modelId, response }) =>
    response === undefined ? [] : [{ modelId, response }],
  )
  if (voted.size > 0 && !pairUp(answered).some(([a, b]) => isOpen(a, b)))
    return { runId, prompt: task.prompt, pairs: [], hasTwo: true }
  const working: WorkingPage[] = []
  for (const { modelId, response } of answered) {
    const page = await makePage(response, true)
    if (page.html !== undefined) working.push({ modelId, page })
  }
  return {
    runId,
    prompt: task.prompt,
    pairs: pairUp(working).filter(([a, b]) => isOpen(a, b)),
    hasTwo: working.length >= 2,
  }
}

/** The run asked for, else the newest that has a pair left. */
async function chooseRun(wanted: string | undefined, context: PairContext, index: ArenaIndex): Promise<OpenPairs> {
  const votes = await listVotes(context.storage)
  const runIds = wanted === undefined ? (await index.listIds()).filter((id) => !context.runs.isLive(id)) : [wanted]
  let isVotedOut = false
  for (const runId of runIds) {
    const found = await findOpenPairs(runId, context, votes)
    if (found && found.pairs.length > 0) return found
    isVotedOut ||= found?.hasTwo ?? false
  }
  if (isVotedOut) throw new Refusal(404, 'all-voted', 'Every pair has its vote. Make another run to vote on more.')
  throw new Refusal(
    404,
    'no-pair',
    wanted === undefined ? 'No run has two pages that work.' : 'The run does not have two pages that work.',
  )
}

export interface ArenaPairs {
  /** Two pages without names, sides shuffled. */
  draw(runId: string | undefined): Promise<ArenaPair>
  vote(pairId: string, choice: Vote['choice']): Promise<VoteResult>
}

export function createArenaPairs(context: PairContext, index: ArenaIndex): ArenaPairs {
  const { storage } = context
  const handedOut = new Map<string, HandedOut>()
  const votedOn = new Set<string>()

  return {
    async draw(wanted) {
      const { runId, prompt, pairs } = await chooseRun(wanted, context, index)
      const pair = pairs[randomInt(pairs.length)]!
      const [left, right] = randomInt(2) === 0 ? pair : [pair[1], pair[0]]
      const pairId = randomBytes(16).toString('hex')
      handedOut.set(pairId, { runId, left: left.modelId, right: right.modelId })
      for (const oldest of handedOut.keys()) {
        if (handedOut.size <= MOST_PAIRS) break
        handedOut.delete(oldest)
      }
      return {
        pairId,
        runId,
        prompt,
        left: await showPage(left.page, context),
        right: await showPage(right.page, context),
        remaining: pairs.length,
      }
    },
    async vote(pairId, choice) {
      const pair = handedOut.get(pairId)
      if (!pair) {
        if (votedOn.has(pairId)) throw new Refusal(409, 'voted', 'This pair has your vote already.')
        throw new Refusal(404, 'no-pair', 'This pair is not known any more; ask for another.')
      }
      // At once, so that a second click finds it gone.
      handedOut.delete(pairId)
      votedOn.add(pairId)
      await saveVote(storage, pairId, { ...pair, choice })
      const { left, right } = pair
      return { left, right, choice }
    },
  }
}
