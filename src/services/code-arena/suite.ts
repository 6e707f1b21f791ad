import { z } from 'zod'
import {
  ARENA_NAME_PREFIX,
  ARENA_SUITE_ID,
  type ArenaRunResult,
  type CodeArenaRequest,
  type ModelParameters,
  type RunInput,
  type RunRequest,
  type RunResult,
  type Storage,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { measureCode, scorers } from '../../scoring/index.ts'
import { conversationSchema, type Conversation } from './conversation.ts'

/** The system prompt for models that write a page. Runs store its text and version: new text needs a new version. */
const frontEndPrompt = {
  version: 'front-end/1',
  text: `You are an experienced front-end developer. Write the page that is asked for, complete and ready to run in a browser.

- One HTML file with its styles and scripts inside is best. A React component (default export) or a Vue single file works too.
- Use no network: no remote images, fonts or data. React, Vue, Tailwind CSS and lucide icons are available, also by their usual CDN
  addresses and imports. Draw pictures as SVG or with CSS.
- It must work at 375, 768 and 1440 pixels of width, by mouse, by touch and by keyboard, and be accessible.
- Everything that looks as if it could be used does what it says. Fill it with plausible content, not with placeholders.

Answer with the code in one fenced block for each file, named where there are several, and at most two sentences beside it.`,
}

/** The only test case of a Code Arena run. */
export const ARENA_CASE_ID = 'page'

const SCORING_METHOD = 'code-arena'
const MAX_NAME_LENGTH = 80

/** Pages are long: the default of 2,048 tokens would truncate most of them. */
const arenaDefaults: Partial<ModelParameters> = { maxTokens: 8192 }

const markSchema = z.object({
  isQuickJudge: z.boolean(),
  systemPrompt: z.string().optional(),
  /** Only in follow-up turns. */
  conversation: conversationSchema.optional(),
})

export interface ArenaTask {
  prompt: string
  /** Replaces the built-in one. */
  systemPrompt?: string | undefined
  isQuickJudge: boolean
  /** What was said before; only in follow-up turns. */
  conversation?: Conversation | undefined
}

function nameTask(prompt: string): string {
  const line = prompt
    .slice(0, 4 * MAX_NAME_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= MAX_NAME_LENGTH ? line : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
}

/** The turn of a conversation that a task is, from 1. */
export function turnOf({ conversation }: Pick<ArenaTask, 'conversation'>): number {
  return (conversation?.turns.length ?? 0) + 1
}

/** The suite of a Code Arena run: one test case, which is the prompt. */
export function createArenaSuite({ prompt, systemPrompt, isQuickJudge, conversation }: ArenaTask): Suite {
  const isBuiltIn = systemPrompt === undefined || systemPrompt === frontEndPrompt.text
  const mark = {
    isQuickJudge,
    systemPrompt: isBuiltIn ? frontEndPrompt.version : 'own',
    ...(conversation && { conversation }),
  }
  return {
    name: `${ARENA_NAME_PREFIX}${nameTask(prompt)}${conversation ? ` (turn ${turnOf({ conversation })})` : ''}`,
    systemPrompt: systemPrompt ?? frontEndPrompt.text,
    testCases: [{ id: ARENA_CASE_ID, prompt, scoringMethod: SCORING_METHOD, weight: 1, metadata: { codeArena: mark } }],
  }
}

/** What a run of a Code Arena request is made from. */
export function createArenaRequest({
  prompt,
  systemPrompt,
  isQuickJudge,
  parameters,
  ...asking
}: CodeArenaRequest): RunInput {
  return {
    kind: 'page',
    request: { ...asking, suiteId: ARENA_SUITE_ID, parameters: { ...arenaDefaults, ...parameters } },
    suite: createArenaSuite({ prompt, systemPrompt, isQuickJudge }),
  }
}

/** True if answers to this case are pages, to be inspected and judged. */
export function isArenaCase(testCase: TestCase): boolean {
  return testCase.scoringMethod === SCORING_METHOD
}

const pageMethods: ReadonlySet<string> = new Set([
  SCORING_METHOD,
  ...scorers.filter(({ opensPages }) => opensPages).map(({ name }) => name),
])

/** True if what is scored of an answer to this case is a page. */
function isPageCase({ scoringMethod, checks = [], turns = [] }: TestCase): boolean {
  const methods = scoringMethod === undefined ? checks.map((check) => check.scoringMethod) : [scoringMethod]
  return methods.some((method) => pageMethods.has(method)) || turns.some(({ pageTests }) => pageTests)
}

/** A suite of page prompts is asked like a Code Arena run, unless it says otherwise. */
export function withPageDefaults(request: RunRequest, suite: Suite): { request: RunRequest; suite: Suite } {
  if (suite.testCases.length === 0 || !suite.testCases.every(isPageCase)) return { request, suite }
  return {
    request: { ...request, parameters: { ...arenaDefaults, ...request.parameters } },
    suite: { ...suite, systemPrompt: suite.systemPrompt ?? frontEndPrompt.text },
  }
}

function readMark({ metadata }: TestCase): z.output<typeof markSchema> | undefined {
  const mark = metadata?.['codeArena']
  // Read for every cell, and most cases have none.
  return mark === undefined ? undefined : markSchema.safeParse(mark).data
}

export function isQuickCase(testCase: TestCase): boolean {
  return readMark(testCase)?.isQuickJudge ?? false
}

/** What was said before the prompt of a case; undefined unless it is a follow-up turn. */
export function conversationOf(testCase: TestCase): Conversation | undefined {
  return readMark(testCase)?.conversation
}

/** True if all of these are Code Arena runs, so that their pages can be shown. */
export function areArenaRuns(runs: readonly Pick<RunResult, 'kind'>[]): boolean {
  return runs.length > 0 && runs.every(({ kind }) => kind === 'page')
}

/** The task of a stored run; undefined if it is not a Code Arena run. */
export function readArenaTask(
  run: Pick<RunResult, 'kind' | 'testSuiteSnapshot'> | undefined,
): (ArenaTask & { systemPrompt: string }) | undefined {
  const suite = run?.kind === 'page' ? run.testSuiteSnapshot : undefined
  const testCase = suite?.testCases[0]
  if (!suite || !testCase) return undefined
  const conversation = conversationOf(testCase)
  return {
    prompt: testCase.prompt ?? '',
    systemPrompt: suite.systemPrompt ?? '',
    isQuickJudge: isQuickCase(testCase),
    ...(conversation && { conversation }),
  }
}

/** All Code Arena runs without their texts, newest first. */
export async function loadArenaRuns(storage: Storage): Promise<ArenaRunResult[]> {
  const runs: ArenaRunResult[] = []
  for (const { id } of await storage.describeRuns({ kinds: ['page'] })) {
    const run = await storage.loadRun(id, { texts: false })
    // The texts of one run at a time: those of all would fill the memory.
    const answers = run && (await storage.loadRun(id, { suite: false }))
    if (!run || !answers) continue
    const code = answers.results.flatMap(({ modelId, response }) =>
      response === undefined ? [] : [[modelId, measureCode(response)] as const],
    )
    runs.push({ ...run, code: Object.fromEntries(code) })
  }
  return runs
}
