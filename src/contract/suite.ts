import { z } from 'zod'
import { lazily } from './lazily.ts'

const text = lazily(() => z.string())

/** Zero, negative and infinite weights have no meaning in a weighted mean. */
const weightSchema = lazily(() =>
  z.number().positive('must be greater than 0').describe('How much it counts; default 1').default(1),
)

const messagePartSchema = lazily(() =>
  z.union([
    z.object({ type: z.literal('text'), text: text() }),
    z.object({ type: z.literal('image'), image: text().describe('A data: URL, or a path beside the suite file') }),
  ]),
)

const messageSchema = lazily(() =>
  z.object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.union([text(), z.array(messagePartSchema())]),
  }),
)

/** Without defaults: whoever names only some parameters must not set the others. */
export const namedParametersSchema = lazily(() =>
  z.object({
    temperature: z.number().min(0).max(2),
    topP: z.number().min(0).max(1),
    maxTokens: z.int().positive(),
    frequencyPenalty: z.number().min(-2).max(2),
    presencePenalty: z.number().min(-2).max(2),
    benchmarkMode: z.boolean(),
  }),
)

export type ModelParameters = z.output<ReturnType<typeof namedParametersSchema>>

export const defaultParameters: ModelParameters = {
  temperature: 0.7,
  topP: 1,
  maxTokens: 2048,
  frequencyPenalty: 0,
  presencePenalty: 0,
  benchmarkMode: false,
}

export const parametersSchema = lazily(() => {
  const { shape: named } = namedParametersSchema()
  return z.object({
    temperature: named.temperature.default(defaultParameters.temperature),
    topP: named.topP.default(defaultParameters.topP),
    maxTokens: named.maxTokens.default(defaultParameters.maxTokens),
    frequencyPenalty: named.frequencyPenalty.default(defaultParameters.frequencyPenalty),
    presencePenalty: named.presencePenalty.default(defaultParameters.presencePenalty),
    benchmarkMode: named.benchmarkMode.default(defaultParameters.benchmarkMode),
  })
})

/** What Benchmark Mode sets, whatever the parameters say. */
export const benchmarkModeLocks = { temperature: 0, frequencyPenalty: 0, presencePenalty: 0 } as const

const variantSchema = lazily(() =>
  z.object({
    name: text().min(1),
    systemPrompt: text().optional(),
    parameters: namedParametersSchema().partial().optional(),
  }),
)

const metadataSchema = lazily(() =>
  z.looseObject({
    category: text().optional(),
    difficulty: text().optional(),
    tags: z.array(text()).optional(),
  }),
)

/** YAML and JSON give numbers, booleans and objects where a text is meant: `expectedOutput: 42`. */
const expectedOutputSchema = lazily(() => {
  const anyValue = z.json()
  return z
    .union([text(), z.number(), z.boolean(), z.array(anyValue), z.record(text(), anyValue)])
    .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
})

/** One scoring method with its expected output; the method's own options stand beside these fields. */
export const checkSchema = lazily(() =>
  z.looseObject({
    scoringMethod: text(),
    expectedOutput: expectedOutputSchema().optional(),
    weight: weightSchema(),
  }),
)

export const testCaseSchema = lazily(() =>
  z.looseObject({
    id: text().min(1).describe('Unique in the suite; results are kept under it'),
    prompt: text().optional(),
    messages: z.array(messageSchema()).min(1).optional().describe('Several turns instead of one prompt'),
    expectedOutput: expectedOutputSchema().optional(),
    scoringMethod: text().optional(),
    checks: z.array(checkSchema()).min(1).optional().describe('Several checks instead of one scoring method'),
    weight: weightSchema(),
    metadata: metadataSchema().optional(),
    vars: z
      .record(text(), z.union([text(), z.number(), z.boolean()]))
      .optional()
      .describe('Values for {{variables}}'),
  }),
)

/** The names in the schemas above and below, for those who only look for others. */
export const checkFields = ['scoringMethod', 'expectedOutput', 'weight']
export const testCaseFields = [
  'id',
  'prompt',
  'messages',
  'expectedOutput',
  'scoringMethod',
  'checks',
  'weight',
  'metadata',
  'vars',
]
export const suiteFields = ['name', 'description', 'systemPrompt', 'judgeSystemPrompt', 'variants', 'testCases']

export const suiteSchema = lazily(() =>
  z.looseObject({
    name: text().min(1),
    description: text().optional(),
    systemPrompt: text().optional(),
    judgeSystemPrompt: text().optional(),
    variants: z.array(variantSchema()).optional(),
    testCases: z.array(testCaseSchema()).min(1, 'needs at least one test case'),
  }),
)

/**
 * Where a suite holds text, as paths of keys; lists are gone through. `expectedOutput: 1.50` there means the characters 1.50, not
 * the number 1.5. The same names inside an expected object or a schema are that object's own.
 */
export const suiteTextFields = [
  ['name'],
  ['variants', 'name'],
  ['testCases', 'id'],
  ['testCases', 'prompt'],
  ['testCases', 'expectedOutput'],
  ['testCases', 'checks', 'expectedOutput'],
]

export type Check = z.output<ReturnType<typeof checkSchema>>
export type TestCase = z.output<ReturnType<typeof testCaseSchema>>
export type Suite = z.output<ReturnType<typeof suiteSchema>>
export type Message = z.output<ReturnType<typeof messageSchema>>
