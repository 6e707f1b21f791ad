import { randomBytes, randomInt } from 'node:crypto'
import { listVotes, pairKey, readArenaTask, removeVote, saveVote, type Vote } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'
import type { ArenaIndex } from './arena-index.ts'
import { assembleAnswer, showPage, type AssembledAnswer, type PreviewView } from './preview-page.ts'

/** GET /api/code-arena/pair (?runId=): two anonymous pages, sides shuffled. 404 if no run has two pages that work. */
export interface ArenaPair {
  pairId: string
  runId: string
  prompt: string
  left: PreviewView
  right: PreviewView
  /** Pairs of this run without a vote, including this one. */
  remaining: number
}

/** POST /api/code-arena/votes */
export interface VoteResult {
  left: string
  right: string
  choice: 'left' | 'right' | 'tie' | 'both-bad'
}

/** Pairs shown but not voted on; beyond this many, the oldest are dropped. */
const MAX_PAIRS = 1000

type PairContext = Pick<ServerContext, 'storage' | 'previews' | 'runs'>

interface ShownPair {
  runId: string
  left: string
  right: string
}

interface WorkingPage {
  modelId: string
  page: AssembledAnswer
}

interface OpenPairs {
  runId: string
  prompt: string
  pairs: [WorkingPage, WorkingPage][]
  hasTwo: boolean
}

function pairUp<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]))
}

/** The pairs of models in a run whose pages both work and that have no vote. */
async function findOpenPairs(
  runId: string,
  context: PairContext,
  votes: readonly Vote[],
): Promise<OpenPairs | undefined> {
  const run = await context.storage.loadRun(runId)
  const task = readArenaTask(run?.testSuiteSnapshot)
  if (!run || !task) return undefined
  const voted = new Set(votes.filter((vote) => vote.runId === runId).map(pairKey))
  const isOpen = (a: { modelId: string }, b: { modelId: string }) =>
    !voted.has(pairKey({ left: a.modelId, right: b.modelId }))
  const answered = run.results.flatMap(({ modelId, response }) =>
    response === undefined ? [] : [{ modelId, response }],
  )
  if (voted.size > 0 && !pairUp(answered).some(([a, b]) => isOpen(a, b)))
    return { runId, prompt: task.prompt, pairs: [], hasTwo: true }
  const working: WorkingPage[] = []
  for (const { modelId, response } of answered) {
    const page = await assembleAnswer(response, true, context)
    if (page.html !== undefined) working.push({ modelId, page })
  }
  return {
    runId,
    prompt: task.prompt,
    pairs: pairUp(working).filter(([a, b]) => isOpen(a, b)),
    hasTwo: working.length >= 2,
  }
}

/** The requested run, or the newest that has a pair left. */
async function chooseRun(requestedId: string | undefined, context: PairContext, index: ArenaIndex): Promise<OpenPairs> {
  const votes = await listVotes(context.storage)
  const runIds =
    requestedId === undefined ? (await index.listIds()).filter((id) => !context.runs.isLive(id)) : [requestedId]
  let areAllVoted = false
  for (const runId of runIds) {
    const open = await findOpenPairs(runId, context, votes)
    if (open && open.pairs.length > 0) return open
    areAllVoted ||= open?.hasTwo ?? false
  }
  if (areAllVoted) throw new Refusal(404, 'all-voted', 'Every pair has a vote. Start another run to vote on more.')
  throw new Refusal(
    404,
    'no-pair',
    requestedId === undefined ? 'No run has two pages that work.' : 'The run does not have two pages that work.',
  )
}

export interface ArenaPairs {
  /** Two anonymous pages, sides shuffled. */
  draw(runId: string | undefined): Promise<ArenaPair>
  vote(pairId: string, choice: Vote['choice']): Promise<VoteResult>
  /** Takes the vote back; the pair can be voted on again. */
  undo(pairId: string): Promise<{ pairId: string }>
}

export function createArenaPairs(context: PairContext, index: ArenaIndex): ArenaPairs {
  const { storage } = context
  const shown = new Map<string, ShownPair>()
  /** Votes that can be taken back. */
  const voted = new Map<string, ShownPair>()
  const remember = (pairs: Map<string, ShownPair>, pairId: string, pair: ShownPair) => {
    pairs.set(pairId, pair)
    for (const oldest of pairs.keys()) {
      if (pairs.size <= MAX_PAIRS) break
      pairs.delete(oldest)
    }
  }

  return {
    async draw(requestedId) {
      const { runId, prompt, pairs } = await chooseRun(requestedId, context, index)
      const pair = pairs[randomInt(pairs.length)]!
      const [left, right] = randomInt(2) === 0 ? pair : [pair[1], pair[0]]
      const pairId = randomBytes(16).toString('hex')
      remember(shown, pairId, { runId, left: left.modelId, right: right.modelId })
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
      const pair = shown.get(pairId)
      if (!pair) {
        if (voted.has(pairId)) throw new Refusal(409, 'voted', 'You have already voted on this pair.')
        throw new Refusal(404, 'no-pair', 'This pair has expired; request another.')
      }
      // Removed at once, so that a second click is refused.
      shown.delete(pairId)
      if ((await storage.findRuns(pair.runId)).every((id) => id !== pair.runId))
        throw new Refusal(404, 'no-pair', 'The run of this pair was deleted; request another.')
      const isSaved = await saveVote(storage, { ...pair, choice }).catch((error: unknown) => {
        shown.set(pairId, pair)
        throw error
      })
      if (!isSaved) throw new Refusal(409, 'voted', 'This pair already has a vote, perhaps from another tab.')
      remember(voted, pairId, pair)
      const { left, right } = pair
      return { left, right, choice }
    },
    async undo(pairId) {
      const pair = voted.get(pairId)
      // Removed at once: a vote that another tab makes meanwhile must not be removed by a second click.
      voted.delete(pairId)
      if (!pair || !(await removeVote(storage, pair)))
        throw new Refusal(404, 'no-vote', 'This vote can no longer be undone.')
      remember(shown, pairId, pair)
      return { pairId }
    },
  }
}
