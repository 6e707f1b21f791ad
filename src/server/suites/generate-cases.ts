import {
  strictOptionsOf,
  testCaseSchema,
  type GenerateCasesRequest,
  type ModelRequest,
  type TestCase,
  isRecord,
} from '../../contract/index.ts'
import { findJson } from '../../scoring/text/find-json.ts'
import { checkSuite } from '../../scoring/index.ts'
import { askDirectly } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { scorerList } from './scorer-list.ts'
import { writeSimulatedCases } from './simulated-cases.ts'

/** POST /api/suites/generate: for review; saves nothing. */
export interface GeneratedCases {
  testCases: TestCase[]
  /** What the model wrote that cannot be used. */
  leftOut: string[]
  cost?: number
}

const MAX_EXCERPT_LENGTH = 120

/** The others need more than a generated case contains; they can be requested, but are not offered. */
const OFFERED = new Set([
  'exact-match',
  'regex-match',
  'numeric-tolerance',
  'boolean',
  'json-match',
  'multiple-choice',
  'llm-judge',
])

function listScorersForPrompt(scoringMethod: string | undefined): string {
  const offered = scorerList.filter(({ name }) =>
    scoringMethod === undefined ? OFFERED.has(name) : name === scoringMethod,
  )
  return offered
    .map(({ name, summary, expectedOutput, options }) => {
      const fields = Object.entries(options.properties).map(
        ([field, { description = '' }]) => `    ${field}: ${description}`,
      )
      return [`- ${name}: ${summary}. expectedOutput: ${expectedOutput}.`, ...fields].join('\n')
    })
    .join('\n')
}

function writeRequest({ modelId, description, count, scoringMethod }: GenerateCasesRequest): ModelRequest {
  return {
    modelId,
    messages: [
      {
        role: 'system',
        content:
          'You write test cases for language models. Each has one answer that is right beyond doubt, and tells a good model from a poor one. Answer with one JSON array and nothing else.',
      },
      {
        role: 'user',
        content: `Write ${count} test cases about the following.\n\n${description}\n\nEach is an object with id (short, unique, words-with-dashes), prompt, scoringMethod, expectedOutput, and metadata { category, difficulty: "easy" | "medium" | "hard" }. The prompt must say what form the answer has to have, so that it can be scored. Scoring methods:\n${listScorersForPrompt(scoringMethod)}`,
      },
    ],
    parameters: { temperature: 0.7, maxTokens: 16_000 },
  }
}

/** The cases in an array, in an object that contains an array, or a single case. */
function findCases(response: string): unknown[] {
  const value = findJson(response)?.value
  if (Array.isArray(value)) return value
  const inner = isRecord(value) ? Object.values(value).find(Array.isArray) : undefined
  if (inner) return inner
  return isRecord(value) && typeof value['prompt'] === 'string' ? [value] : []
}

function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text
}

function createCaseId(suggested: unknown, taken: Set<string>): string {
  const base =
    (typeof suggested === 'string' ? suggested : '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'case'
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`
  taken.add(id)
  return id
}

/** Checks each case on its own, so that an unusable one does not spoil the others. */
function readGeneratedCases(response: string): { testCases: TestCase[]; leftOut: string[] } {
  const found = findCases(response)
  if (found.length === 0)
    return { testCases: [], leftOut: [`The model did not write a list of cases: ${excerpt(response.trim())}`] }
  const taken = new Set<string>()
  const testCases: TestCase[] = []
  const leftOut: string[] = []
  for (const item of found) {
    const raw = isRecord(item)
      ? { ...strictOptionsOf(item['scoringMethod']), ...item, id: createCaseId(item['id'], taken) }
      : item
    const { suite, problems } = checkSuite({ name: 'Generated', testCases: [raw] })
    const testCase = suite?.testCases[0]
    if (testCase) testCases.push(testCase)
    else leftOut.push(`${problems[0]?.message ?? 'cannot be used'}: ${excerpt(item)}`)
  }
  return { testCases, leftOut }
}

/** Asks a model for test cases, for the user to review. Those of simulated models come from templates. */
export async function generateCases(request: GenerateCasesRequest, context: ServerContext): Promise<GeneratedCases> {
  if (request.modelId.startsWith('demo/')) {
    context.clientFor(request.modelId)
    const { testCases, leftOut } = writeSimulatedCases(request)
    return { testCases: testCases.map((testCase) => testCaseSchema.parse(testCase)), leftOut, cost: 0 }
  }
  const { clock, random, pacing } = context.runTools()
  const { response, cost } = await askDirectly(context.clientFor, { clock, random, pacing })(writeRequest(request))
  return { ...readGeneratedCases(response), ...(cost !== undefined && { cost }) }
}
