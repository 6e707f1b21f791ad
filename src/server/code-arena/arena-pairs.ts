import { randomBytes, randomInt } from 'node:crypto'
import type { Storage } from '../../contract/index.ts'
import { readArenaTask } from '../../services/index.ts'
import type { ArenaPair, PreviewView, VoteResult } from '../api-code-arena.ts'
import type { CoreParts } from '../parts.ts'
import { Refusal } from '../refusal.ts'
import { listArenaRuns } from './arena-list.ts'
import { showPage } from './preview-page.ts'
import { listVotes, saveVote, type Vote } from './votes.ts'

/** Pairs handed out and not voted on yet; the oldest are forgotten. */
const MOST_PAIRS = 1000

type Parts = Pick<CoreParts, 'storage' | 'previews' | 'runs'>

interface HandedOut {
  runId: string
  left: string
  right: string
}

interface WorkingPage {
  modelId: string
  view: PreviewView
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

/** Pairs of models within a run whose pages both work and that nobody has voted on. */
async function findOpenPairs(runId: string, parts: Parts, votes: readonly Vote[]): Promise<OpenPairs | undefined> {
  const run = await parts.storage.loadRun(runId)
  const task = readArenaTask(run?.testSuiteSnapshot)
  if (!run || !task) return undefined
  const working: WorkingPage[] = []
  for (const { modelId, response } of run.results) {
    if (response === undefined) continue
    const { view } = await showPage(response, true, parts)
    if (view.url !== undefined) working.push({ modelId, view })
  }
  const voted = new Set(votes.filter((vote) => vote.runId === runId).map(({ left, right }) => keyOf(left, right)))
  const pairs = working.flatMap((a, index) => working.slice(index + 1).flatMap((b): [WorkingPage, WorkingPage][] => (voted.has(keyOf(a.modelId, b.modelId)) ? [] : [[a, b]])))
  return { runId, prompt: task.prompt, pairs, hasTwo: working.length >= 2 }
}

/** The run asked for, else the newest that has a pair left. */
async function chooseRun(wanted: string | undefined, parts: Parts, storage: Storage): Promise<OpenPairs> {
  const votes = await listVotes(storage)
  const runIds = wanted === undefined ? (await listArenaRuns(storage)).map(({ id }) => id).filter((id) => !parts.runs.isLive(id)) : [wanted]
  let isVotedOut = false
  for (const runId of runIds) {
    const found = await findOpenPairs(runId, parts, votes)
    if (found && found.pairs.length > 0) return found
    isVotedOut ||= found?.hasTwo ?? false
  }
  if (isVotedOut) throw new Refusal(404, 'all-voted', 'Every pair has its vote. Make another run to vote on more.')
  throw new Refusal(404, 'no-pair', wanted === undefined ? 'No run has two pages that work.' : 'The run does not have two pages that work.')
}

export interface ArenaPairs {
  /** Two pages without names, sides shuffled. */
  draw(runId: string | undefined): Promise<ArenaPair>
  vote(pairId: string, choice: Vote['choice']): Promise<VoteResult>
}

export function createArenaPairs(parts: Parts): ArenaPairs {
  const { storage } = parts
  const handedOut = new Map<string, HandedOut>()
  const votedOn = new Set<string>()

  return {
    async draw(wanted) {
      const { runId, prompt, pairs } = await chooseRun(wanted, parts, storage)
      const pair = pairs[randomInt(pairs.length)]!
      const [left, right] = randomInt(2) === 0 ? pair : [pair[1], pair[0]]
      const pairId = randomBytes(16).toString('hex')
      handedOut.set(pairId, { runId, left: left.modelId, right: right.modelId })
      for (const oldest of handedOut.keys()) {
        if (handedOut.size <= MOST_PAIRS) break
        handedOut.delete(oldest)
      }
      return { pairId, runId, prompt, left: left.view, right: right.view, remaining: pairs.length }
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
