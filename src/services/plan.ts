import { z } from 'zod'
import {
  benchmarkModeLocks,
  completeParameters,
  defaultConcurrency,
  defaultMaxTimeSeconds,
  isSecret,
  ARENA_SUITE_ID,
  listSecretHeaders,
  namesOfCase,
  type Message,
  type ModelParameters,
  type ModelRequest,
  type RunInput,
  type RunKind,
  type RunRequest,
  type RunResult,
  type Suite,
  type TestCase,
  type ToolDefinition,
  type Variant,
  decidingOf,
  runLimits,
} from '../contract/index.ts'
import {
  compileSuite,
  writeQuestion,
  findVariant,
  isJudged,
  listScoring,
  questionOf,
  type CompiledCase,
  type Scorer,
} from '../scoring/index.ts'
import { writeMessages } from './agents/next-step.ts'
import {
  findConversationProblems,
  listTools,
  planConversation,
  type PlannedConversation,
} from './agents/planned-conversation.ts'
import { writeConversationForJudge, isInConversation, writeConversation } from './code-arena/conversation.ts'
import { expandWordings } from './wordings.ts'
import { conversationOf, withPageDefaults } from './code-arena/suite.ts'

/** What prevents a request from deciding anything, one sentence each. */
function findDecidingProblems(
  request: RunRequest,
  { contestants, comparesAnswers }: { contestants: number; comparesAnswers: boolean },
): string[] {
  const { decide, orderSeed } = request
  if (!decidingOf(request)) {
    const useless = [decide && `--decide ${decide}`, orderSeed !== undefined && '--order-seed'].filter(Boolean)
    return useless.map((option) => `${option} needs --until decided or --screen`)
  }
  if (request.batch)
    return ['--until decided and --screen send case after case, --batch all at once; choose one of them']
  if (comparesAnswers)
    return ['answers that are compared in pairs cannot be decided early; leave out --until and --screen']
  if (decide === 'good-enough' && request.sameWithin === undefined)
    return ['--decide good-enough needs to know by how much a model may be worse: --same-within POINTS']
  if (contestants < 2) return ['there is nothing to decide with one model; name at least two']
  if (contestants > runLimits.decidedModels)
    return [
      `at most ${runLimits.decidedModels} models can be decided between; leave out --until and --screen, or models`,
    ]
  return []
}

/** True if the answers to the case are compared with each other, so that none has a score before all are there. */
export function isPairwise({ compiled }: { compiled: CompiledCase }): boolean {
  return compiled.checks[0]?.scorer.comparesAnswers === true
}

/** What is compared: a model, or a model with one of the suite's variants. */
export interface Contestant {
  /** `model` or `model@variant`: the id that results are stored under. */
  id: string
  modelId: string
  variant?: Variant
  systemPrompt: string | undefined
  parameters: ModelParameters
}

/** A test case compiled once, so that nothing is parsed again for each answer. */
export interface PlannedCase {
  testCase: TestCase
  /** What scores its answers. */
  compiled: CompiledCase
  /** The functions that the model may call. */
  tools?: ToolDefinition[]
  /** For a case with tools, a world or a user: then it is no single request. */
  conversation?: PlannedConversation
}

/** A request with its suite resolved: which contestants get which cases. */
export interface RunPlan {
  kind: RunKind
  request: RunRequest
  /** Only the selected cases; stored with the run. */
  suite: Suite
  cases: readonly PlannedCase[]
  contestants: readonly Contestant[]
  /** What prevents the run, one sentence each; empty if it can run. */
  problems: readonly string[]
}

/** The variants of a model: those that name it or no model at all; all of them if there is no such variant. */
function variantsOf(modelId: string, variants: readonly Variant[]): readonly Variant[] {
  const own = variants.filter(({ models }) => !models || models.includes(modelId))
  return own.length > 0 ? own : variants
}

/** Later ones override earlier ones, but headers add up, and Benchmark Mode applies if any has it. */
function mergeParameters(...layers: (Partial<ModelParameters> | undefined)[]): ModelParameters {
  const given = layers.filter((layer) => layer !== undefined)
  const headers = Object.assign({}, ...given.map((layer) => layer.headers)) as Record<string, string>
  return {
    ...completeParameters(Object.assign({}, ...given) as Partial<ModelParameters>),
    ...(Object.keys(headers).length > 0 && { headers }),
    benchmarkMode: given.some(({ benchmarkMode }) => benchmarkMode === true),
  }
}

/** Every model with each of its variants. The variant's parameters override the model's, which override the run's. */
function planContestants(
  { variants = [], systemPrompt }: Suite,
  { models: named, parameters, modelParameters = {} }: Pick<RunRequest, 'models' | 'parameters' | 'modelParameters'>,
): Contestant[] {
  const models = [...new Set(named)]
  const own = new Map(Object.entries(modelParameters))
  if (variants.length === 0)
    return models.map((modelId) => ({
      id: modelId,
      modelId,
      systemPrompt,
      parameters: mergeParameters(parameters, own.get(modelId)),
    }))
  return models.flatMap((modelId) =>
    variantsOf(modelId, variants).map((variant) => ({
      id: `${modelId}@${variant.name}`,
      modelId,
      variant,
      systemPrompt: variant.systemPrompt ?? systemPrompt,
      parameters: mergeParameters(parameters, own.get(modelId), variant.parameters),
    })),
  )
}

const namesOf = ({ id, metadata }: TestCase) => namesOfCase({ ...metadata, id })

/** The names of a filter that select no case. */
export function findUnknownNames({ testCases }: Suite, filter: readonly string[]): string[] {
  const known = new Set(testCases.flatMap(namesOf))
  return filter.filter((name) => !known.has(name))
}

/** The cases of the suite that the request selects. */
export function selectCases(suite: Suite, { filter, limit }: Pick<RunRequest, 'filter' | 'limit'>): Suite {
  if (!filter && limit === undefined) return suite
  const isSelected = (testCase: TestCase) => !filter || namesOf(testCase).some((name) => filter.includes(name))
  return { ...suite, testCases: suite.testCases.filter(isSelected).slice(0, limit) }
}

/** The suite with this model for the user of its conversations, if it has any. */
function withUserModel(suite: Suite, model: string | undefined): Suite {
  if (model === undefined) return suite
  const withModel = <Place extends Pick<Suite, 'user'>>(place: Place): Place =>
    place.user ? { ...place, user: { ...place.user, model } } : place
  return { ...withModel(suite), testCases: suite.testCases.map(withModel) }
}

/** Plans which contestants get which cases. Lists every problem instead of throwing. */
export function planRun(
  { kind, request: given, suite: whole, isSelected = false }: RunInput,
  scorers: readonly Scorer[],
): RunPlan {
  const problems: string[] = []
  const worded = expandWordings(isSelected ? whole : selectCases(whole, given), problems)
  const selected = withUserModel(worded, given.userModel)
  const { request: asked, suite } = withPageDefaults(given, selected)
  // Stored with the run: a later change of the suite does not change what a run decided.
  const sameWithin = asked.sameWithin ?? suite.smallestDifference
  const request = { ...asked, ...(sameWithin !== undefined && { sameWithin }) }
  const { models, judgeModelIds, filter } = request
  const cases = compileSuite(suite, scorers).map((compiled) => planCase(compiled, suite, problems))
  const repeated = models.find((model, index) => models.indexOf(model) !== index)
  if (models.length === 0) problems.push('no model chosen; name at least one')
  if (repeated !== undefined) problems.push(`model ${repeated} is chosen twice`)
  if (cases.length === 0) problems.push(`no test case has the id, category or tag ${filter?.join(', ')}`)
  const judged = kind === 'page' ? undefined : cases.find(({ compiled }) => isJudged(compiled))
  const judge = listScoring(judged?.compiled.checks ?? []).find(({ scorer }) => isJudged(scorer))
  if (judge && judgeModelIds.length === 0)
    problems.push(
      `test case ${judged?.testCase.id} is scored by ${judge.scorer.name}, and no judge model is set; name one (--judge)`,
    )
  for (const conversation of suite.testCases.flatMap((testCase) => conversationOf(testCase) ?? []))
    for (const model of models.filter((id) => !isInConversation(conversation, id)))
      problems.push(`model ${model} has no part in the conversation that this run continues`)
  if (request.batch && cases.some(({ conversation }) => conversation))
    problems.push(
      'a conversation with an agent sends its next request when it has the answer to the last, and a batch takes hours for each; leave out --batch',
    )
  problems.push(...findVariantProblems(suite, cases))
  const contestants = planContestants(suite, request)
  const compared = cases.find(isPairwise)
  if (compared && contestants.length < 2)
    problems.push(
      `test case ${compared.testCase.id} is scored by pairwise, which compares models with each other; choose at least two`,
    )
  problems.push(
    ...findDecidingProblems(request, { contestants: contestants.length, comparesAnswers: compared !== undefined }),
  )
  return { kind, request, suite, cases, contestants, problems }
}

/** The number of cells: every contestant with every case. */
export function countCells({ cases, contestants }: RunPlan): number {
  return cases.length * contestants.length
}

function withoutSecretHeaders<Given extends Partial<ModelParameters>>(parameters: Given): Given {
  const { headers = {} } = parameters
  const plain = Object.entries(headers).filter(([name, value]) => !isSecret(name, value))
  return plain.length === Object.keys(headers).length
    ? parameters
    : { ...parameters, headers: Object.fromEntries(plain) }
}

/** The request as stored, without the headers and the parts of an address that may hold a key; a resume needs them again. */
export function withoutSecrets(given: RunRequest): RunRequest {
  const { parameters, modelParameters } = given
  const headers = [parameters, ...Object.values(modelParameters ?? {})].flatMap((layer) => listSecretHeaders(layer))
  const lackingHeaders = [...new Set(headers.map(([name]) => name))]
  const request: RunRequest =
    lackingHeaders.length === 0
      ? given
      : {
          ...given,
          parameters: withoutSecretHeaders(parameters),
          ...(modelParameters && {
            modelParameters: Object.fromEntries(
              Object.entries(modelParameters).map(([model, layer]) => [model, withoutSecretHeaders(layer)]),
            ),
          }),
          headersLacking: lackingHeaders,
        }
  const url = request.endpoint === undefined ? null : URL.parse(request.endpoint)
  if (!url) return request
  const hasLogin = url.username !== '' || url.password !== ''
  const secret = [...url.searchParams].filter(([name, value]) => isSecret(name, value))
  const lacking = [...new Set([...(hasLogin ? ['user name and password'] : []), ...secret.map(([name]) => name)])]
  url.username = url.password = ''
  for (const [name] of secret) url.searchParams.delete(name)
  return { ...request, endpoint: url.href, ...(lacking.length > 0 && { endpointLacks: lacking }) }
}

/** Says what has to be named again before models can be asked; undefined if nothing is lacking. */
export function findLackingSecrets({
  endpoint,
  endpointLacks = [],
  headersLacking = [],
}: RunRequest): string | undefined {
  const problems = [
    endpointLacks.length > 0 &&
      `the address ${endpoint} is stored without what may be secret in it (${endpointLacks.join(', ')}); give the whole address again (--base-url)`,
    headersLacking.length > 0 &&
      `the run is stored without the values of headers that may be secret (${headersLacking.join(', ')}); give them again (--header)`,
  ].filter((problem) => problem !== false)
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** The request with these headers, for all of its models. */
export function withHeaders(request: RunRequest, headers: Record<string, string> | undefined): RunRequest {
  if (!headers) return request
  const { headersLacking = [], ...rest } = request
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const lacking = headersLacking.filter((name) => !given.has(name.toLowerCase()))
  return {
    ...rest,
    parameters: { ...request.parameters, headers: { ...request.parameters.headers, ...headers } },
    ...(lacking.length > 0 && { headersLacking: lacking }),
  }
}

/** The request with another address, if there is one. */
export function withEndpoint(request: RunRequest, endpoint: string | undefined): RunRequest {
  if (endpoint === undefined) return request
  const { endpointLacks: _lacking, ...rest } = request
  return { ...rest, endpoint }
}

/** The model of a contestant: `model` of `model@variant`. */
export function modelOf(contestantId: string, variants: readonly Variant[] = []): string {
  const variant = findVariant(variants, contestantId)
  return variant ? contestantId.slice(0, -variant.name.length - 1) : contestantId
}

/** The stored request, or one reconstructed for an imported run: without an endpoint, which a file must not choose. */
export function requestOf(run: RunResult): RunRequest {
  const { kind, testSuiteSnapshot: suite, testSuiteId, testSuiteName, id, models, request } = run
  const { parameters = {}, judgeModel } = run
  // Runs of older versions have no such limit.
  if (request) return { ...request, maxTimeSeconds: request.maxTimeSeconds ?? defaultMaxTimeSeconds }
  return {
    suiteId: testSuiteId ?? (kind === 'page' ? ARENA_SUITE_ID : (suite?.name ?? testSuiteName ?? id)),
    models: [...new Set(models.map((contestant) => modelOf(contestant, suite?.variants)))],
    parameters,
    judgeModelIds: judgeModel?.split(',') ?? [],
    combineJudges: 'mean',
    repeat: 1,
    concurrency: defaultConcurrency,
    maxTimeSeconds: defaultMaxTimeSeconds,
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

function planCase(compiled: CompiledCase, suite: Suite, problems: string[]): PlannedCase {
  const { testCase } = compiled
  const { id } = testCase
  const conversation = planConversation(suite, testCase)
  if (conversation) problems.push(...findConversationProblems(conversation, testCase))
  const tools = conversation || testCase['tools'] === undefined ? undefined : toolsSchema.safeParse(testCase['tools'])
  if (tools?.error) problems.push(`test case ${id}: tools: ${tools.error.issues[0]?.message}`)
  // Other problems only leave answers unscored; a missing scorer prevents the run.
  for (const { code, message } of compiled.problems) if (code === undefined) problems.push(message)
  return { testCase, compiled, ...(tools?.data && { tools: tools.data }), ...(conversation && { conversation }) }
}

export function effectiveParameters({ benchmarkMode, ...parameters }: ModelParameters): ModelRequest['parameters'] {
  return { ...parameters, ...(benchmarkMode && benchmarkModeLocks) }
}

type Asked = Pick<Contestant, 'id' | 'variant'>

/** What a judge reads as the task. */
export function taskOf({ testCase, compiled }: PlannedCase, { id, variant }: Asked): string {
  const conversation = conversationOf(testCase)
  if (conversation) return writeConversationForJudge(conversation, id, testCase.prompt ?? '')
  return variant ? writeQuestion(questionOf(testCase, variant)) : compiled.task
}

/** The prompt or messages of one cell, without the system prompt. */
export function messagesOf({ testCase }: PlannedCase, { id, variant }: Asked): Message[] {
  const conversation = conversationOf(testCase)
  if (conversation) return writeConversation(conversation, id, testCase.prompt ?? '')
  const { prompt = '', messages = [{ role: 'user', content: prompt }] } = questionOf(testCase, variant)
  return messages
}

/** A conversation as a contestant holds it: with the system prompt and the prompt of its variant. */
export function conversationWith(
  conversation: PlannedConversation,
  { testCase }: PlannedCase,
  { variant }: Asked,
): PlannedConversation {
  const { systemPrompt = conversation.systemPrompt } = variant ?? {}
  return { ...conversation, systemPrompt, prompt: questionOf(testCase, variant).prompt }
}

/** A variant that asks something else, where a conversation has no place for it: it would only look like another one. */
function findVariantProblems({ variants = [] }: Suite, cases: readonly PlannedCase[]): string[] {
  const held = cases.filter(({ conversation }) => conversation)
  return variants.flatMap(({ name, prompt, messages }) => {
    if (messages && held.length > 0)
      return [
        `variant ${name} has messages, and conversations with agents have none; give it a prompt or a systemPrompt`,
      ]
    const silent = prompt === undefined ? undefined : held.find(({ testCase }) => testCase.prompt === undefined)
    return silent
      ? [`variant ${name} has a prompt, and test case ${silent.testCase.id} has none that it could replace`]
      : []
  })
}

/** The model request of one cell: the system prompt, then the prompt or messages. */
export function buildRequest(planned: PlannedCase, contestant: Contestant): ModelRequest {
  const { modelId, systemPrompt, parameters } = contestant
  const { tools, conversation } = planned
  if (conversation) {
    // Its first request: what follows depends on the answers.
    const spoken = conversationWith(conversation, planned, contestant)
    const text = spoken.turns?.[0]?.user ?? spoken.prompt ?? spoken.user?.instructions ?? ''
    const own = listTools(conversation, 'agent')
    return {
      modelId,
      messages: [...writeMessages([], 'agent', spoken), { role: 'user', content: text }],
      parameters: effectiveParameters(parameters),
      ...(own.length > 0 && { tools: own }),
    }
  }
  const system: Message[] = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]
  return {
    modelId,
    messages: [...system, ...messagesOf(planned, contestant)],
    parameters: effectiveParameters(parameters),
    ...(tools && { tools }),
  }
}
