import { randomUUID } from 'node:crypto'
import {
  hasPassed,
  InputError,
  sumDollars,
  type CellEvent,
  readPassMarks,
  type CancelSignal,
  type CheckResult,
  type ModelParameters,
  type Outcome,
  type Unscored,
} from '../contract/index.ts'
import { checkGivenParameters, checkGivenSuite, type GivenSuite } from '../import/suite-files/given-suite.ts'
import { addScorers, type Trajectory } from '../scoring/index.ts'
import {
  defineClient,
  planConversation,
  readWorld,
  toTrajectory,
  UNNAMED_USER,
  type ClientDefinition,
  type RunEvent,
} from '../services/index.ts'
import { executeRun } from '../services/run-with-client.ts'
import { allowExternal } from '../runner/environments/open-external.ts'
import { openStorage } from '../storage/index.ts'
import { version } from '../version.ts'
import { refuseUnknownOptions } from './options.ts'
import { countTokens, scoringWith, tools, type ScorerOptions } from './wiring.ts'

export interface ConversationOptions extends ScorerOptions {
  suite: GivenSuite
  /** Needed if the suite has more than one case. */
  caseId?: string
  /** Plays the agent. */
  client: ClientDefinition
  /** Plays the user; by default `client` does, as the suite's `user.model`. */
  userClient?: ClientDefinition
  /** Plays the judges; by default `client` does. */
  judgeClient?: ClientDefinition
  judgeModelId?: string
  /** Scores as tau2-bench does. */
  as?: 'tau2'
  /** The name under which the agent's client is asked. Default: `agent`. */
  modelId?: string
  parameters?: Partial<ModelParameters>
  /** Lets the suite start the programs that it names as tools. */
  allowCommands?: boolean
  onEvent?: (event: RunEvent) => void
  signal?: CancelSignal
}

const FAILURES = ['user-error', 'environment-error'] as const

/** One conversation, from its first word to its score. */
export interface Conversation {
  /** `limit` if a limit of the suite ended it. */
  outcome: Outcome | (typeof FAILURES)[number]
  /** `null` if it has no score, and `unscored` or `error` says why. */
  passed: boolean | null
  /** 0 to 1. */
  score: number | null
  checks: CheckResult[]
  unscored?: Unscored
  /** Why the agent gave no answer. */
  error?: string
  /** The world at the end. */
  world: unknown
  trajectory: Trajectory
  /** US dollars for the agent's answers and for the user's; absent if unknown. */
  cost?: number
  userCost?: number
}

const options: Record<keyof ConversationOptions, true> = {
  suite: true,
  caseId: true,
  client: true,
  userClient: true,
  judgeClient: true,
  judgeModelId: true,
  as: true,
  modelId: true,
  parameters: true,
  scorers: true,
  allowCommands: true,
  onEvent: true,
  signal: true,
}

function costsOf(log: readonly CellEvent[]): Pick<Conversation, 'cost' | 'userCost'> {
  const costs = (by: 'agent' | 'user') =>
    log.flatMap((event) =>
      event.kind === 'said' && event.by === by && event.attempt !== undefined ? [event.usage?.cost] : [],
    )
  const add = (given: (number | undefined)[]) =>
    given.includes(undefined) ? undefined : sumDollars(given.filter((cost) => cost !== undefined))
  const [cost, userCost] = [add(costs('agent')), add(costs('user'))]
  return { ...(cost !== undefined && { cost }), ...(userCost !== undefined && { userCost }) }
}

/**
 * Holds one conversation of a suite with tools, a world and a user, and scores it. The same engine as `executeRun`,
 * which runs such suites whole; nothing is kept.
 */
export async function runConversation(given: ConversationOptions): Promise<Conversation> {
  refuseUnknownOptions('runConversation', given, options)
  const {
    client,
    userClient,
    judgeClient,
    judgeModelId,
    as,
    modelId = 'agent',
    parameters,
    scorers,
    onEvent,
    signal,
  } = given
  const checked = checkGivenSuite(given.suite, addScorers(scorers))
  const caseId = given.caseId ?? (checked.testCases.length === 1 ? checked.testCases[0]!.id : undefined)
  const testCase = checked.testCases.find(({ id }) => id === caseId)
  if (!testCase)
    throw new InputError(
      `runConversation: caseId: ${caseId === undefined ? 'name one' : `there is no case ${JSON.stringify(caseId)}`}; the suite has ${checked.testCases.map(({ id }) => id).join(', ')}`,
    )
  const { variants: _variants, ...plain } = checked
  const suite = { ...plain, ...(as && { as }), testCases: [testCase] }
  const planned = planConversation(suite, testCase)
  if (!planned)
    throw new InputError(
      `runConversation: case ${JSON.stringify(caseId)} has no agent, world, tools or user; use executeRun`,
    )
  const agent = defineClient(client)
  const user = userClient ? defineClient(userClient) : agent
  const judge = judgeClient ? defineClient(judgeClient) : agent
  const userModel = planned.user?.modelId ?? UNNAMED_USER
  if (userModel === modelId && userClient)
    throw new InputError(`runConversation: modelId: ${modelId} is the model of the user; give the agent another name`)
  const storage = await openStorage({ file: ':memory:' })
  try {
    const run = await executeRun(
      {
        kind: 'agent',
        suite,
        models: [modelId],
        parameters: checkGivenParameters(parameters),
        ...(judgeModelId !== undefined && { judgeModelId }),
        client: (asked) => (asked === userModel ? user : asked === judgeModelId ? judge : agent),
        onEvent,
        signal,
      },
      {
        storage,
        scoring: scoringWith(scorers),
        ...tools,
        external: allowExternal({ allowsCommands: given.allowCommands === true }),
        createId: randomUUID,
        countTokens,
        versions: { benchmaker: version, node: process.versions.node },
      },
    )
    const log = await storage.loadEvents({ runId: run.id, testCaseId: testCase.id, modelId })
    const result = run.results[0]
    const { score, unscored, error } = result ?? {}
    const failed = FAILURES.find((code) => code === unscored?.code)
    return {
      outcome: failed ?? result?.outcome ?? (score || unscored ? 'ok' : 'error'),
      passed: score ? hasPassed(score, readPassMarks(suite)(testCase.id)) : null,
      score: score?.score ?? null,
      checks: score?.checks ?? [],
      ...(unscored && { unscored }),
      ...(error !== undefined && { error }),
      world: readWorld(log),
      trajectory: toTrajectory(log, { caseId: testCase.id, model: modelId }),
      ...costsOf(log),
    }
  } finally {
    await storage.close()
  }
}
