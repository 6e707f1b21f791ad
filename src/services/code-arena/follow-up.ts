import {
  ARENA_SUITE_ID,
  InputError,
  type FollowUpRequest,
  type RunResult,
  type Storage,
  type RunInput,
} from '../../contract/index.ts'
import { findActivity } from '../claim.ts'
import { withHeaders } from '../plan.ts'
import { openStoredRun } from '../stored-run.ts'
import { fitAnswers, type Conversation, type EarlierAnswer } from './conversation.ts'
import { ARENA_CASE_ID, createArenaSuite, readArenaTask } from './suite.ts'

/** A reasoning model's thoughts, as far as they are in the answer: they are not sent again. */
const THOUGHTS = /^\s*<(think|thinking|reasoning|thought)>[\s\S]*?<\/\1>\s*/i

async function readAnswers({ id, models, results }: RunResult, storage: Storage): Promise<Map<string, EarlierAnswer>> {
  const open = await storage.loadOpenCells(id)
  return new Map(
    models.map((modelId): [string, EarlierAnswer] => {
      const result = results.find((cell) => cell.modelId === modelId && cell.testCaseId === ARENA_CASE_ID)
      const answered = open.find(({ cell }) => cell.modelId === modelId)?.answer
      const text = (result?.response ?? answered?.response ?? '').replace(THOUGHTS, '')
      if (text.trim() !== '') return [modelId, { text }]
      const reason = result ? (result.error ?? 'the answer was empty.') : 'the request was not sent.'
      return [modelId, { missing: reason }]
    }),
  )
}

/** The conversation that a run's pages continue: its own earlier turns, and the run itself. */
async function continueConversation(
  run: RunResult,
  models: readonly string[],
  storage: Storage,
): Promise<Conversation> {
  const { prompt, conversation } = readArenaTask(run)!
  const answers = await readAnswers(run, storage)
  return {
    turns: [...(conversation?.turns ?? []), { runId: run.id, prompt }],
    models: models.map((modelId) => {
      const earlier = conversation?.models.find((model) => model.modelId === modelId)?.answers ?? []
      return { modelId, answers: fitAnswers([...earlier, answers.get(modelId)!]) }
    }),
  }
}

function checkModels(models: readonly string[], run: RunResult): void {
  const unknown = models.filter((model) => !run.models.includes(model))
  if (unknown.length > 0)
    throw new InputError(
      `run ${run.id} has no page of ${unknown.join(', ')}; a follow-up can go to ${run.models.join(', ')}`,
    )
}

/**
 * The request that continues a Code Arena run with another prompt. What is not given is as in that run: the models, the
 * judges, the parameters and the limits.
 */
export async function createFollowUp(
  runId: string,
  { prompt, isQuickJudge, models, ...change }: FollowUpRequest,
  { storage, now }: { storage: Storage; now: number },
): Promise<RunInput> {
  const { run, request } = await openStoredRun(runId, storage, { texts: true })
  if ((await findActivity([run], { storage, now })).get(runId)?.workedOnBy)
    throw new InputError(`run ${runId} is still in progress; continue it when it has finished`)
  const task = readArenaTask(run)
  if (!task) throw new InputError(`run ${runId} is not a Code Arena run; only those can be continued`)
  const asked = [...new Set(models ?? run.models)]
  checkModels(asked, run)
  const { suiteVersion: _version, ...stored } = request
  const suite = createArenaSuite({
    prompt,
    systemPrompt: task.systemPrompt,
    isQuickJudge: isQuickJudge ?? task.isQuickJudge,
    conversation: await continueConversation(run, asked, storage),
  })
  return {
    kind: 'page',
    isSelected: true,
    request: withHeaders(
      {
        ...stored,
        repeat: 1,
        ...change,
        parameters: { ...stored.parameters, ...change.parameters },
        suiteId: ARENA_SUITE_ID,
        models: asked,
        follows: run.id,
      },
      change.parameters?.headers,
    ),
    suite,
  }
}
