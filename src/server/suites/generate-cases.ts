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
import { requestDirectly } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { scorerList } from './scorer-list.ts'

interface SimulatedCase {
  id: string
  prompt: string
  scoringMethod: string
  expectedOutput: string
  metadata: { category: string; difficulty: string; tags: string[] }
  [option: string]: unknown
}

type Template = (
  number: number,
  topic: string,
) => Pick<SimulatedCase, 'prompt' | 'scoringMethod' | 'expectedOutput'> & Record<string, unknown>

/** Operands for arithmetic that the simulated models can do. */
function drawOperands(number: number): [a: number, b: number] {
  return [17 + number * 6, 5 + ((number * 7) % 23)]
}

const TEMPLATES: Record<string, Template> = {
  'numeric-tolerance': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: one order has ${a} pieces, another ${b}. What is ${a} + ${b}?`,
      scoringMethod: 'numeric-tolerance',
      expectedOutput: String(a + b),
      tolerance: 0,
      answer: 'last',
    }
  },
  'exact-match': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: what is ${a} times ${b}? Answer with the number only.`,
      scoringMethod: 'exact-match',
      expectedOutput: String(a * b),
      partial: false,
    }
  },
  'regex-match': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: what is ${a} minus ${b}? Answer with the number only.`,
      scoringMethod: 'regex-match',
      expectedOutput: `^\\s*${a - b}\\s*$`,
    }
  },
  boolean: (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: add ${a} + ${b} and name the result.`,
      scoringMethod: 'boolean',
      expectedOutput: String(a + b),
    }
  },
  'llm-judge': (number, topic) => ({
    prompt: `Explain point ${number + 1} of ${topic} to a beginner.`,
    scoringMethod: 'llm-judge',
    expectedOutput: 'The main point first, then one reason and one example.',
  }),
}

const MIX = ['numeric-tolerance', 'exact-match', 'regex-match', 'llm-judge']
const DIFFICULTIES = ['easy', 'medium', 'hard']

/** The cases that the simulated models "write": from templates, deterministic, and tagged as simulated. */
function writeSimulatedCases({ description, count, scoringMethod }: GenerateCasesRequest): {
  testCases: SimulatedCase[]
  leftOut: string[]
} {
  if (scoringMethod !== undefined && !Object.hasOwn(TEMPLATES, scoringMethod))
    return {
      testCases: [],
      leftOut: [
        `The simulated models cannot write cases for ${scoringMethod}, only for ${Object.keys(TEMPLATES).join(', ')}. A real model can write any.`,
      ],
    }
  const topic = description.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  const testCases = Array.from({ length: count }, (_, index) => ({
    id: `simulated-${index + 1}`,
    ...TEMPLATES[scoringMethod ?? MIX[index % MIX.length]!]!(index, topic),
    metadata: { category: 'generated', difficulty: DIFFICULTIES[index % DIFFICULTIES.length]!, tags: ['simulated'] },
  }))
  return { testCases, leftOut: [] }
}

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
  const { response, cost } = await requestDirectly(context.clientFor, { clock, random, pacing })(writeRequest(request))
  return { ...readGeneratedCases(response), ...(cost !== undefined && { cost }) }
}
