import { z } from 'zod'
import { givenParametersSchema } from '../runs/model-parameters.ts'
import { agentCaseFields, agentSuiteFields, suiteToolsSchema } from './agent-suite.ts'
import { marginSchema } from '../runs/run-options.ts'

const text = z.string()

/** Zero, negative and infinite weights have no meaning in a weighted mean. */
const weightSchema = z.number().positive('must be greater than 0').describe('Weight in the mean; default 1').default(1)

const passAtSchema = z
  .number()
  .min(0, 'must be from 0 to 1 (0 to 100 points)')
  .max(1, 'must be from 0 to 1 (0 to 100 points)')

const messagePartSchema = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), image: text.describe('A data: URL, or a path relative to the suite file') }),
])

export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant']).describe('Who says it'),
  content: z.union([text, z.array(messagePartSchema)]).describe('A text, or parts with text and images'),
})

const variantSchema = z.object({
  name: text.min(1).describe('Shown after the model: model@name'),
  models: z.array(text).min(1).optional().describe('Only for these models; without it, for all'),
  prompt: text
    .optional()
    .describe("Replaces the prompt of every case; {{variables}} are the case's vars, and {{prompt}} is its own prompt"),
  messages: z.array(messageSchema).min(1).optional().describe('A conversation instead of a single prompt'),
  systemPrompt: text.optional().describe('Replaces the system prompt of the suite'),
  parameters: givenParametersSchema.optional().describe('Parameters for this variant only'),
  wordings: z.boolean().optional().describe('True for a wording: a level of a random factor, no contestant'),
})

const wordingSchema = z.union([
  text.min(1).describe("The prompt in other words; {{prompt}} is the case's own"),
  z.object({
    name: text.min(1).optional().describe('What reports call it; default: wording 1, wording 2, …'),
    prompt: text.min(1).describe("{{prompt}} is the case's own prompt, {{variables}} are its vars"),
  }),
])

const metadataSchema = z.looseObject({
  category: text.optional().describe('Results are grouped by it; --filter selects it'),
  difficulty: text.optional().describe('For your own use'),
  tags: z.array(text).optional().describe('--filter selects them'),
})

/** In YAML and JSON a text may be written as a number, boolean or object: `expectedOutput: 42`. */
const expectedOutputSchema = z
  .union([text, z.number(), z.boolean(), z.array(z.json()), z.record(text, z.json())])
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))

export const simpleCheckSchema = z.looseObject({
  scoringMethod: text.describe('How the check scores an answer'),
  name: text.min(1).optional().describe('What the check measures, for notes and reports'),
  expectedOutput: expectedOutputSchema.optional().describe('What a right answer is; methods read it differently'),
  weight: weightSchema,
  passAt: passAtSchema.optional().describe('The score, 0 to 1, that this check must reach for the case to pass'),
})

/** The method whose `checks` are no methods of their own. */
export const INSTRUCTIONS = 'instructions'

/** True for what `instructions` checks: it names its kind where other checks name their method. */
function isInstruction(check: unknown): check is object {
  return typeof check === 'object' && check !== null && 'kind' in check && !('scoringMethod' in check)
}

function orInstruction<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((check) => (isInstruction(check) ? { ...check, scoringMethod: INSTRUCTIONS } : check), schema)
}

/** A scoring method with its expected output; the method's options are written next to these fields. */
export const checkSchema = simpleCheckSchema.extend({
  checks: z
    .array(orInstruction(simpleCheckSchema))
    .min(1)
    .optional()
    .describe('With scoringMethod group: checks that count as one, with one weight and one pass mark'),
})

/** `cluster: 7` is a name like any other. */
const clusterSchema = z.union([text.min(1), z.number(), z.boolean()]).transform(String)

export const testCaseSchema = z.looseObject({
  id: text.min(1).describe('Unique in the suite; results are stored under it. Left out of a file: case-1, case-2, …'),
  prompt: text.optional().describe('The prompt for the model; may contain {{variables}}'),
  messages: z.array(messageSchema).min(1).optional().describe('A conversation instead of a single prompt'),
  wordings: z
    .array(wordingSchema)
    .min(1)
    .optional()
    .describe('Other ways to say the prompt: levels of a random factor, no contestants'),
  expectedOutput: expectedOutputSchema.optional().describe('What a right answer is; methods read it differently'),
  scoringMethod: text.optional().describe('How answers are scored'),
  checks: z.array(orInstruction(checkSchema)).optional().describe('Several checks instead of a single scoring method'),
  weight: weightSchema,
  passAt: passAtSchema
    .optional()
    .describe('Passing score, 0 to 1; default: the mark of the scoring method or each check'),
  cluster: clusterSchema
    .optional()
    .describe(
      'Variants of one question have the same cluster, and count as one observation in every interval and verdict',
    ),
  metadata: metadataSchema.optional().describe('Facts about the case; other fields are kept too'),
  vars: z
    .record(text, z.union([text, z.number(), z.boolean()]))
    .optional()
    .describe('Values for {{variables}}'),
  ...agentCaseFields,
})

export const suiteSchema = z.looseObject({
  name: text.min(1).describe('Runs are listed and compared under it. Left out of a file: the name of the file'),
  description: text.optional().describe('What the suite is about, for people'),
  benchmark: z
    .object({ dataset: text.describe('OWNER/NAME'), task: text.describe('As its eval.yaml calls it') })
    .optional()
    .describe('The benchmark on Hugging Face that the cases are from, for its leaderboard'),
  systemPrompt: text.optional().describe('The system prompt of every case'),
  judgeSystemPrompt: text.optional().describe('Added instructions for the judges'),
  embeddingModel: text
    .min(1)
    .optional()
    .describe('The model that embeds texts for the scoring method similar, in cases that name none themselves'),
  preset: text
    .min(1)
    .optional()
    .describe('The judge preset for cases scored by llm-judge that name none themselves: factuality, safety, …'),
  variants: z
    .array(variantSchema)
    .optional()
    .describe('Prompts and parameters to compare like models: every model runs with every variant'),
  wordings: z
    .array(wordingSchema)
    .min(1)
    .optional()
    .describe(
      'Ways to word every case, with {{prompt}}, or names of variants: levels of a random factor, no contestants',
    ),
  passAt: passAtSchema.optional().describe('Passing score, 0 to 1, for cases that set none themselves'),
  clusterBy: text
    .min(1)
    .optional()
    .describe('The field of a case (or of its metadata or vars) whose value is the cluster of cases that name none'),
  smallestDifference: marginSchema
    .optional()
    .describe('A difference that does not matter, in points: models within it are called the same'),
  ...agentSuiteFields,
  tools: suiteToolsSchema.optional().describe('The tools of agents, by name'),
  testCases: z.array(testCaseSchema).min(1, 'needs at least one test case').describe('The test cases'),
})

/**
 * The text fields of a suite, as paths of keys through any lists. There, `expectedOutput: 1.50` means the text 1.50,
 * not the number 1.5. Fields of the same name inside an expected object or a schema do not count.
 */
export const suiteTextFields = [
  ['name'],
  ['variants', 'name'],
  ['variants', 'prompt'],
  ['testCases', 'id'],
  ['testCases', 'cluster'],
  ['testCases', 'prompt'],
  ['testCases', 'expectedOutput'],
  ['testCases', 'checks', 'expectedOutput'],
  ['testCases', 'checks', 'checks', 'expectedOutput'],
]

export type Check = z.output<typeof checkSchema>
export type TestCase = z.output<typeof testCaseSchema>
export type Suite = z.output<typeof suiteSchema>
export type Message = z.output<typeof messageSchema>
export type Variant = z.output<typeof variantSchema>

/** What a message says, without its pictures. */
export function messageText({ content }: Pick<Message, 'content'>): string {
  return typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('')
}

/** A message for a reader: a picture is a word in brackets. */
export function readableMessage({ content }: Pick<Message, 'content'>, separator = '\n'): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '[image]')).join(separator)
}

/**
 * The options of scoring methods for a question with one right answer: nothing for near misses, and only the last number
 * counts. New and generated cases have them; what a file says stays as it is.
 */
const STRICT_OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'exact-match': { partial: false },
  'json-match': { partial: false },
  'numeric-tolerance': { answer: 'last' },
}

export function strictOptionsOf(scoringMethod: unknown): Readonly<Record<string, unknown>> {
  return typeof scoringMethod === 'string' && Object.hasOwn(STRICT_OPTIONS, scoringMethod)
    ? STRICT_OPTIONS[scoringMethod]!
    : {}
}
