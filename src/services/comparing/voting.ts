import { InputError, type RunResult } from '../../contract/index.ts'
import { settlePair } from '../../scoring/pairwise.ts'
import { planRun, taskOf, type RunPlan, isPairwise } from '../plan.ts'
import type { RunTools } from '../run-tools.ts'
import { openStoredRun } from '../stored-run.ts'
import { compareCase } from './compare-case.ts'
import { listPairwiseVotes, removePairwiseVote, savePairwiseVote, type PairwiseVote } from './votes.ts'

type VotingTools = Pick<RunTools, 'storage' | 'scoring'>

/** Two answers to a case that people compare. */
interface VotedPair {
  testCaseId: string
  prompt: string
  a: { modelId: string; response: string }
  b: { modelId: string; response: string }
}

async function loadVoted(runId: string, { storage, scoring }: VotingTools): Promise<{ run: RunResult; plan: RunPlan }> {
  const stored = await openStoredRun(runId, storage, { texts: true })
  return { run: stored.run, plan: planRun(stored, scoring.scorers) }
}

const pairKey = (testCaseId: string, models: readonly string[]) => JSON.stringify([testCaseId, ...models.toSorted()])

/** The pairs of a run that people are to compare and this voter has not yet; `total` counts all of them. */
export async function listOpenPairs(
  runId: string,
  voter: string,
  tools: VotingTools,
): Promise<{ open: VotedPair[]; total: number }> {
  const { run, plan } = await loadVoted(runId, tools)
  const votes = await listPairwiseVotes(runId, tools.storage)
  const voted = new Set(
    votes.filter((vote) => vote.voter === voter).map((vote) => pairKey(vote.testCaseId, [vote.modelA, vote.modelB])),
  )
  const answersOf = Map.groupBy(run.results, ({ testCaseId }) => testCaseId)
  const pairs = plan.cases
    .filter((planned) => isPairwise(planned) && planned.compiled.checks[0]!.options['comparedBy'] === 'people')
    .flatMap((planned) => {
      const testCaseId = planned.testCase.id
      const answers = (answersOf.get(testCaseId) ?? []).flatMap(({ modelId, response }) =>
        response === undefined ? [] : [{ modelId, response }],
      )
      const prompt = taskOf(planned, { id: '' })
      return answers.flatMap((a, index) => answers.slice(index + 1).map((b) => ({ testCaseId, prompt, a, b })))
    })
    .filter(({ a, b }) => !settlePair({ a: a.response, b: b.response }))
  return {
    open: pairs.filter(({ testCaseId, a, b }) => !voted.has(pairKey(testCaseId, [a.modelId, b.modelId]))),
    total: pairs.length,
  }
}

/** Scores the answers to a case by all votes on them so far. */
async function scoreVotedCase(runId: string, testCaseId: string, tools: VotingTools): Promise<void> {
  const { plan } = await loadVoted(runId, tools)
  const { storage } = tools
  const scored = await compareCase(runId, testCaseId, {
    cases: new Map(plan.cases.map((planned) => [planned.testCase.id, planned])),
    contestants: plan.contestants,
    storage,
    random: () => 0,
    concurrency: 1,
    judgingOf: () => {
      throw new InputError('people compare these answers, not a judge')
    },
  })
  for (const { cell, score } of scored) await storage.saveScore(cell, score)
}

/** Keeps a person's vote and updates the scores of the case. */
export async function voteOnPair(vote: PairwiseVote, tools: VotingTools): Promise<void> {
  await savePairwiseVote(tools.storage, vote)
  await scoreVotedCase(vote.runId, vote.testCaseId, tools)
}

/** Takes back a vote. Returns false if there was none. */
export async function undoVote(vote: Omit<PairwiseVote, 'scoreA'>, tools: VotingTools): Promise<boolean> {
  const isRemoved = await removePairwiseVote(tools.storage, vote)
  if (isRemoved) await scoreVotedCase(vote.runId, vote.testCaseId, tools)
  return isRemoved
}
