import { z } from 'zod'
import {
  ARENA_NAME_PREFIX,
  ARENA_SUITE_ID,
  type ModelParameters,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { frontEndPrompt } from './prompt.ts'

/** The one test case of such a run. */
export const ARENA_CASE_ID = 'page'

const SCORING_METHOD = 'code-arena'
const LONGEST_NAME = 80

/** A page is longer than an answer to a question: 2,048 tokens would cut most of them. */
export const arenaDefaults: Partial<ModelParameters> = { maxTokens: 8192 }

const markSchema = z.object({ isQuickJudge: z.boolean(), systemPrompt: z.string().optional() })

export interface ArenaTask {
  prompt: string
  /** Instead of the built-in one. */
  systemPrompt?: string | undefined
  isQuickJudge: boolean
}

function nameTask(prompt: string): string {
  const line = prompt
    .slice(0, 4 * LONGEST_NAME)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= LONGEST_NAME ? line : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
}

/** A run of the Code Arena is a run of this suite: one case, which is the prompt. */
export function createArenaSuite({ prompt, systemPrompt, isQuickJudge }: ArenaTask): Suite {
  const mark = { isQuickJudge, systemPrompt: systemPrompt === undefined ? frontEndPrompt.version : 'own' }
  return {
    name: `${ARENA_NAME_PREFIX}${nameTask(prompt)}`,
    systemPrompt: systemPrompt ?? frontEndPrompt.text,
    testCases: [{ id: ARENA_CASE_ID, prompt, scoringMethod: SCORING_METHOD, weight: 1, metadata: { codeArena: mark } }],
  }
}

/** What can be told of a run without loading it whole. */
export function isArenaName(suiteName: string | undefined): boolean {
  return suiteName?.startsWith(ARENA_NAME_PREFIX) ?? false
}

/** Whether answers to this case are pages, to be looked at and judged as such. */
export function isArenaCase(testCase: TestCase): boolean {
  return testCase.scoringMethod === SCORING_METHOD
}

/** What runs of the suite are kept under. */
export function suiteIdOf(suite: Suite): string {
  return suite.testCases.some(isArenaCase) ? ARENA_SUITE_ID : suite.name
}

export function isQuickCase({ metadata }: TestCase): boolean {
  return markSchema.safeParse(metadata?.['codeArena']).data?.isQuickJudge ?? false
}

/** The task of a stored run; undefined when it is no run of the Code Arena. */
export function readArenaTask(suite: Suite | undefined): (ArenaTask & { systemPrompt: string }) | undefined {
  const testCase = suite?.testCases.find(isArenaCase)
  if (!suite || !testCase) return undefined
  return { prompt: testCase.prompt ?? '', systemPrompt: suite.systemPrompt ?? '', isQuickJudge: isQuickCase(testCase) }
}
