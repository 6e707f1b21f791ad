import { z } from 'zod'
import {
  benchmarkModeLocks,
  completeParameters,
  type Message,
  type ModelParameters,
  type ModelRequest,
  type RunRequest,
  type RunResult,
  type Suite,
  type TestCase,
  type ToolDefinition,
} from '../contract/index.ts'
import { codeArena } from '../scoring/code-arena-judge.ts'
import { compileSuite, isJudged, type CompiledCase, type Scorer } from '../scoring/index.ts'
import { isArenaCase, suiteIdOf } from './code-arena/suite.ts'

/** What is compared: a model, or a model with one of the suite's variants. */
export interface Contestant {
  /** `model`, or `model@variant`: what results are kept under. */
  id: string
  modelId: string
  systemPrompt: string | undefined
  parameters: ModelParameters
}

/** A test case made ready: nothing of it is parsed again for an answer. */
export interface PlannedCase {
  testCase: TestCase
  /** What scores its answers. */
  compiled: CompiledCase
  /** Without the system prompt, which is the contestant's. */
  messages: Message[]
  /** The functions it lets the model call. */
  tools?: ToolDefinition[]
}

/** A request with its suite, worked out: who is asked what. */
export interface RunPlan {
  request: RunRequest
  /** With the chosen cases only: what is stored with the run. */
  suite: Suite
  cases: readonly PlannedCase[]
  contestants: readonly Contestant[]
  /** What keeps it from being run, a sentence each; none when it can be. */
  problems: readonly string[]
}

/** Every model with every variant. Parameters: the defaults, then the run's, then the variant's; Benchmark Mode is for all. */
function planContestants(
  { variants = [], systemPrompt }: Suite,
  request: Pick<RunRequest, 'models' | 'parameters'>,
): Contestant[] {
  const common = completeParameters(request.parameters)
  const models = [...new Set(request.models)]
  if (variants.length === 0)
    return models.map((modelId) => ({ id: modelId, modelId, systemPrompt, parameters: common }))
  return models.flatMap((modelId) =>
    variants.map((variant) => ({
      id: `${modelId}@${variant.name}`,
      modelId,
      systemPrompt: variant.systemPrompt ?? systemPrompt,
      parameters: {
        ...common,
        ...variant.parameters,
        benchmarkMode: common.benchmarkMode || variant.parameters?.benchmarkMode === true,
      },
    })),
  )
}

/** Only the cases asked for. */
function selectCases(suite: Suite, { filter, limit }: Pick<RunRequest, 'filter' | 'limit'>): Suite {
  if (!filter && limit === undefined) return suite
  const isChosen = ({ id, metadata }: TestCase) =>
    !filter ||
    [id, metadata?.category, ...(metadata?.tags ?? [])].some((name) => name !== undefined && filter.includes(name))
  return { ...suite, testCases: suite.testCases.filter(isChosen).slice(0, limit) }
}

/** Works out who is asked what. Finds everything that is wrong with it, and throws nothing. */
export function planRun(request: RunRequest, whole: Suite, scorers: readonly Scorer[]): RunPlan {
  const { models, judgeModelIds, filter } = request
  const suite = selectCases(whole, request)
  const problems: string[] = []
  const cases = compileSuite(suite, [...scorers, codeArena]).map((compiled) => planCase(compiled, problems))
  const repeated = models.find((model, index) => models.indexOf(model) !== index)
  if (models.length === 0) problems.push('no model chosen; name at least one')
  if (repeated !== undefined) problems.push(`model ${repeated} is chosen twice`)
  if (cases.length === 0) problems.push(`no test case has the id, category or tag ${filter?.join(', ')}`)
  const judged = cases.find(({ testCase, compiled }) => isJudged(compiled) && !isArenaCase(testCase))
  const judge = judged?.compiled.checks.find(({ scorer }) => isJudged(scorer))
  if (judge && judgeModelIds.length === 0)
    problems.push(
      `test case ${judged?.testCase.id} is scored by ${judge.scorer.name}, and no judge model is set; name one (--judge)`,
    )
  return { request, suite, cases, contestants: planContestants(suite, request), problems }
}

/** The cells of the plan: every contestant on every case. */
export function countCells({ cases, contestants }: RunPlan): number {
  return cases.length * contestants.length
}

/** As it is stored: what may hold a key of an endpoint's address is left out, and must be given again to a resume. */
export function withoutSecrets(request: RunRequest): RunRequest {
  const url = request.endpoint === undefined ? null : URL.parse(request.endpoint)
  if (!url) return request
  url.username = url.password = url.search = ''
  return { ...request, endpoint: url.href }
}

/** The request of a run that was stored without one: an imported run's. Where keys are sent is never taken from a file. */
export function requestOf(run: RunResult): RunRequest {
  const { testSuiteSnapshot: suite, testSuiteId, testSuiteName, id, models, parameters = {}, judgeModel, request } = run
  if (request) return request
  const { variants = [] } = suite ?? {}
  const strip = (model: string) => {
    const variant = variants.find(({ name }) => model.endsWith(`@${name}`))
    return variant ? model.slice(0, -variant.name.length - 1) : model
  }
  return {
    suiteId: testSuiteId ?? (suite && suiteIdOf(suite)) ?? testSuiteName ?? id,
    models: [...new Set(models.map(strip))],
    parameters,
    judgeModelIds: judgeModel?.split(',') ?? [],
    combineJudges: 'mean',
    repeat: 1,
    concurrency: 5,
    cache: false,
  }
}

const functionSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
})
const toolsSchema = z
  .array(z.union([z.object({ type: z.literal('function'), function: functionSchema }), functionSchema]))
  .transform((tools): ToolDefinition[] => tools.map((tool) => ('function' in tool ? tool.function : tool)))

function planCase(compiled: CompiledCase, problems: string[]): PlannedCase {
  const { testCase } = compiled
  const { id, prompt = '', messages = [{ role: 'user', content: prompt }] } = testCase
  const tools = testCase['tools'] === undefined ? undefined : toolsSchema.safeParse(testCase['tools'])
  if (tools?.error) problems.push(`test case ${id}: tools: ${tools.error.issues[0]?.message}`)
  // Other problems leave an answer unscored; without its scorer there would be nothing to run.
  for (const { code, message } of compiled.problems) if (code === undefined) problems.push(message)
  return { testCase, compiled, messages, ...(tools?.data && { tools: tools.data }) }
}

function effectiveParameters({ benchmarkMode, ...parameters }: ModelParameters): ModelRequest['parameters'] {
  return { ...parameters, ...(benchmarkMode && benchmarkModeLocks) }
}

/** The question of one cell: the system prompt, then the case's prompt or messages. */
export function buildRequest(
  { messages, tools }: PlannedCase,
  { modelId, systemPrompt, parameters }: Contestant,
): ModelRequest {
  const system: Message[] = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]
  return {
    modelId,
    messages: [...system, ...messages],
    parameters: effectiveParameters(parameters),
    ...(tools && { tools }),
  }
}
