import { parse as parseYaml } from 'yaml'
import { omissionReason } from './assertion-types.ts'
import { translateJavascript, type OutputForm } from './javascript-checks.ts'
import { mapEmbedder } from '../providers/provider-ids.ts'
import { escapePattern, asText } from '../../../contract/index.ts'

/** A check of a suite, not validated yet. */
export interface ImportedCheck extends Record<string, unknown> {
  scoringMethod: string
  expectedOutput?: string
}

/** The result of converting an assertion: a check, perhaps with a note on how it differs, or why there is none. */
export type Conversion = { check: ImportedCheck; note?: string; passAt?: number } | { leftOut: string }

export interface AssertionInput {
  /** With variables filled. */
  value: unknown
  threshold?: number | undefined
  variables?: Readonly<Record<string, unknown>>
  allowCode?: boolean
  /** The functions that the case offers. */
  tools?: readonly unknown[] | undefined
  config?: Record<string, unknown> | undefined
  functionName?: string | undefined
  /** The embedding model that the config names, as written. */
  embedder?: string | undefined
  /** What promptfoo hands code; without it, code is never translated. */
  form?: OutputForm
  /** Adds the grader's instructions to what a judge reads. */
  instruct?: (rubric: string) => string
}

interface NegatedInput extends AssertionInput {
  negate: boolean
}

type Converter = (input: NegatedInput) => Conversion

const NO_VALUE: Conversion = { leftOut: 'it has no value to look for' }
const NO_NEGATION: Conversion = { leftOut: 'it cannot be negated here' }

/** A pattern of only blanks would count as missing, so it is wrapped in a group. */
function pattern(source: string, flags = ''): ImportedCheck {
  const visible = source.trim() === '' ? `(?:${source})` : source
  // `/…/` is read as a pattern with flags; a plain pattern that happens to look like one must not be.
  const isDelimited = /^\/.+\/[dgimsuvy]*$/s.test(visible)
  const plain = isDelimited ? `(?:${visible})` : visible
  return { scoringMethod: 'regex-match', expectedOutput: flags === '' ? plain : `/${visible}/${flags}` }
}

const somewhere = (source: string) => `(?=[\\s\\S]*${source})`
const nowhere = (source: string) => `^(?![\\s\\S]*(?:${source}))`

function readTexts(value: unknown): string[] {
  const items = Array.isArray(value)
    ? value.map(asText)
    : asText(value)
        .split(',')
        .map((item) => item.trim())
  return items.filter((item) => item !== '')
}

function convertContains({ value, negate }: NegatedInput): Conversion {
  const text = asText(value)
  if (text === '') return NO_VALUE
  return { check: pattern(negate ? nowhere(escapePattern(text)) : escapePattern(text)) }
}

function convertIgnoringCase({ value, negate }: NegatedInput): Conversion {
  const text = asText(value)
  if (text.trim() === '') return NO_VALUE
  return { check: { scoringMethod: 'boolean', expectedOutput: text, ...(negate && { negate }) } }
}

function convertList({ value, negate }: NegatedInput, all: boolean, flags: string): Conversion {
  const items = readTexts(value).map(escapePattern)
  if (items.length === 0) return NO_VALUE
  const any = `(?:${items.join('|')})`
  const every = `^${items.map(somewhere).join('')}`
  if (!negate) return { check: pattern(all ? every : any, flags) }
  return { check: pattern(all ? `^(?!${items.map(somewhere).join('')})` : nowhere(any), flags) }
}

function convertEquals({ value, negate }: NegatedInput): Conversion {
  if (typeof value === 'object' && value !== null)
    return negate
      ? NO_NEGATION
      : { check: { scoringMethod: 'json-match', expectedOutput: JSON.stringify(value), partial: false } }
  const text = asText(value).trim()
  if (text === '') return NO_VALUE
  if (negate) return { check: pattern(`^(?!\\s*${escapePattern(text)}\\s*$)`) }
  return { check: { scoringMethod: 'exact-match', expectedOutput: asText(value), partial: false } }
}

function convertRegex({ value, negate }: NegatedInput): Conversion {
  // Python's way to ignore case in all of it.
  const source = asText(value).replace(/^\(\?([ims]+)\)([^]*)$/, '(?$1:$2)')
  if (source === '') return NO_VALUE
  try {
    RegExp(source)
  } catch (error) {
    return { leftOut: `its pattern is not one of JavaScript (${error instanceof Error ? error.message : source})` }
  }
  return { check: pattern(negate ? nowhere(source) : source) }
}

function convertStart({ value, negate }: NegatedInput): Conversion {
  const text = asText(value)
  if (text === '') return NO_VALUE
  return { check: pattern(negate ? `^(?!${escapePattern(text)})` : `^${escapePattern(text)}`) }
}

function isSchema(value: unknown): value is Record<string, unknown> | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

function readSchema(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseYaml(value, { maxAliasCount: 100 })
  } catch {
    return undefined
  }
}

function convertJson({ value, negate }: NegatedInput, onlyJson: boolean): Conversion {
  if (negate) return NO_NEGATION
  const schema = value === undefined || value === null || value === '' ? true : readSchema(value)
  if (!isSchema(schema)) return { leftOut: 'its schema is not a JSON Schema' }
  return { check: { scoringMethod: 'json-schema', schema, ...(onlyJson && { onlyJson }) } }
}

/** `threshold` is promptfoo's pass mark for a graded score; without one, a judge decides by its own rubric. */
function withThreshold(threshold: number | undefined): { passAt?: number } {
  return threshold === undefined ? {} : { passAt: threshold }
}

function convertJudged(
  { value, negate, threshold, instruct = (rubric) => rubric }: NegatedInput,
  note?: string,
): Conversion {
  const rubric = (Array.isArray(value) ? value.map((item) => `- ${asText(item)}`).join('\n') : asText(value)).trim()
  const criterion = negate && rubric !== '' ? `The response must NOT meet this criterion: ${rubric}` : rubric
  const read = instruct(criterion)
  if (read === '') return NO_VALUE
  return {
    check: { scoringMethod: 'llm-judge', expectedOutput: read },
    ...(note !== undefined && { note }),
    ...withThreshold(threshold),
  }
}

/** promptfoo asks a judge in which of five ways the facts differ; all but a contradiction pass. */
function convertFactuality(input: NegatedInput): Conversion {
  const facts = asText(input.value).trim()
  if (facts === '') return NO_VALUE
  return convertJudged({
    ...input,
    value: `Compare only facts with this expert answer, not style, grammar or length: 10 if the response says the same, less, more, or differs in what does not matter for the facts; 0 if they contradict each other.\nThe expert answer: ${facts}`,
  })
}

const JUDGED_BY = 'graded 0 to 10 by the judge instead of by statements'

/** Checks of answers from retrieved text: the judge reads the question and the context from the test's variables. */
function convertRelevance(input: NegatedInput): Conversion {
  const question = asText(input.variables?.['query'] ?? input.variables?.['question'])
  const of = question === '' ? 'the task' : `the question ${JSON.stringify(question)}`
  return convertJudged({ ...input, value: `The response answers ${of}, and nothing else.` }, JUDGED_BY)
}

function convertFaithfulness(input: NegatedInput): Conversion {
  const context = asText(input.variables?.['context'])
  if (context === '') return { leftOut: 'the test has no variable context' }
  return convertJudged(
    { ...input, value: `Everything that the response claims is supported by this context:\n${context}` },
    JUDGED_BY,
  )
}

function convertJavascript(input: NegatedInput): Conversion {
  const { value, negate, threshold, allowCode, config, functionName, form = 'unknown', variables = {} } = input
  const code = asText(value)
  if (allowCode !== true) {
    // A threshold would let a number pass that is not a yes or no.
    const isPlain = !negate && !(threshold !== undefined && threshold > 1)
    const check = isPlain ? translateJavascript(code, { variables, form }) : undefined
    return check ? { check } : { leftOut: 'it runs code, which is done only with --allow-code' }
  }
  if (code.trim() === '') return NO_VALUE
  return {
    check: {
      scoringMethod: 'javascript',
      code,
      ...(negate && { negate }),
      ...(config && { config }),
      ...(functionName !== undefined && { functionName }),
    },
    ...withThreshold(threshold),
  }
}

function convertLimit({ value, negate, threshold }: NegatedInput, method: 'latency' | 'cost'): Conversion {
  if (negate) return NO_NEGATION
  const limit = threshold ?? Number(asText(value) || Number.NaN)
  if (!(limit > 0)) return { leftOut: 'it has no threshold' }
  return { check: { scoringMethod: method, ...(method === 'latency' ? { maxMs: limit } : { maxDollars: limit }) } }
}

/** Words are what blanks separate. */
function convertWordCount({ value, negate }: NegatedInput): Conversion {
  const range = typeof value === 'object' && value !== null ? { min: 0, max: Infinity, ...value } : undefined
  const [min, max] = range
    ? [Number(range.min), Number(range.max)]
    : [Number(asText(value) || Number.NaN), Number(value)]
  if (!(min >= 0 && max >= min) || !Number.isInteger(min) || !(Number.isInteger(max) || max === Infinity))
    return { leftOut: 'its value is no number of words, and no { min, max }' }
  const words = String.raw`\s*(?:\S+(?:\s+|$)){${min},${max === Infinity ? '' : max}}$`
  return { check: pattern(negate ? `^(?!${words})` : `^${words}`) }
}

function convertValidCalls({ negate, tools }: NegatedInput): Conversion {
  if (negate) return NO_NEGATION
  if (!tools || tools.length === 0) return { leftOut: 'the config offers no functions to compare with' }
  return { check: { scoringMethod: 'valid-tool-calls', tools } }
}

function convertCallNames({ value, negate, threshold }: NegatedInput): Conversion {
  if (negate) return NO_NEGATION
  const expectedTools = readTexts(value)
  if (expectedTools.length === 0) return NO_VALUE
  return { check: { scoringMethod: 'tool-names', expectedTools }, ...withThreshold(threshold) }
}

/** What promptfoo takes if a config names no embedding model. */
const DEFAULT_EMBEDDER = 'openai/text-embedding-3-large'

const DEFAULT_THRESHOLD = 0.75

/** In promptfoo the threshold of `euclidean` is the largest distance; its score is 1 / (1 + distance). */
function convertSimilar(
  { value, negate, threshold = DEFAULT_THRESHOLD, embedder }: NegatedInput,
  metric: 'cosine' | 'dot' | 'euclidean',
): Conversion {
  const [text = '', ...others] = (Array.isArray(value) ? value : [value])
    .map(asText)
    .filter((item) => item.trim() !== '')
  if (text === '') return NO_VALUE
  const mark = metric === 'euclidean' ? 1 / (1 + threshold) : threshold
  if (!(mark >= 0 && mark <= 1))
    return { leftOut: `its threshold ${threshold} is beyond what a similarity from 0 to 1 can reach` }
  const embeddingModel = embedder === undefined ? DEFAULT_EMBEDDER : mapEmbedder(embedder)
  return {
    check: {
      scoringMethod: 'similar',
      expectedOutput: text,
      embeddingModel: embeddingModel ?? DEFAULT_EMBEDDER,
      ...(others.length > 0 && { otherExpected: others }),
      ...(metric !== 'cosine' && { metric }),
      ...(negate && { negate }),
    },
    ...((negate || mark !== DEFAULT_THRESHOLD) && { passAt: negate ? 1 - mark : mark }),
    ...(embeddingModel === undefined && {
      note: `the embedding model ${JSON.stringify(embedder)} is not known here, so ${DEFAULT_EMBEDDER} is used; set embeddingModel to another`,
    }),
  }
}

function convertLevenshtein({ value, negate }: NegatedInput): Conversion {
  if (negate) return NO_NEGATION
  const text = asText(value)
  if (text.trim() === '') return NO_VALUE
  return {
    check: { scoringMethod: 'exact-match', expectedOutput: text },
    note: 'scored by exact-match with partial credit instead of a limit on the edit distance',
  }
}

/** How models say that they will not: as an apology or a rule, or with no word at all. */
const REFUSAL = [
  String.raw`^\s*$`,
  String.raw`^\W*(?:sorry|no,? I (?:can|won))`,
  String.raw`\bI(?:['’]?m| am) (?:(?:very |so |really |truly )?sorry|afraid I can|unable to|not (?:able|allowed|permitted|programmed|designed|going|comfortable)|(?:just |only )?an? (?:AI|assistant))`,
  String.raw`\bI (?:apologi[sz]e|can(?:not|['’]?t|\snot)|won['’]?t|will not|must (?:decline|refuse)|(?:have to|respectfully) decline|decline to|refuse to|do(?:n['’]?t| not) feel comfortable)`,
  String.raw`\bas an? (?:AI|(?:large )?language model|artificial intelligence)`,
  String.raw`\b(?:unethical|not ethical|(?:against|violates?) (?:my|our|the|ethical) (?:guidelines|policy|policies|principles|programming))`,
].join('|')

const convertRefusal = ({ negate }: NegatedInput): Conversion => ({
  check: pattern(negate ? nowhere(REFUSAL) : REFUSAL, 'iu'),
  note: 'the wording of a refusal is recognised by the phrases of this program, not by those of promptfoo',
})

const OVERLAP = { bleu: ['bleu', 0.5], 'rouge-n': ['f1', 0.75], 'rouge-l': ['rouge-l', 0.75] } as const

/** ROUGE of single words is their F1. */
function convertOverlap({ value, negate, threshold }: NegatedInput, type: keyof typeof OVERLAP): Conversion {
  if (negate) return NO_NEGATION
  const [text = '', ...accepted] = (Array.isArray(value) ? value : [value])
    .map(asText)
    .filter((item) => item.trim() !== '')
  if (text === '') return NO_VALUE
  const [metric, mark] = OVERLAP[type]
  return {
    check: {
      scoringMethod: 'text-overlap',
      metric,
      expectedOutput: text,
      ...(accepted.length > 0 && { accepted }),
    },
    passAt: threshold ?? mark,
    note: `scored by text-overlap, whose ${metric} divides texts into words in its own way`,
  }
}

const CONVERTERS = new Map<string, Converter>([
  ['equals', convertEquals],
  ['contains', convertContains],
  ['icontains', convertIgnoringCase],
  ['contains-any', (input) => convertList(input, false, '')],
  ['contains-all', (input) => convertList(input, true, '')],
  ['icontains-any', (input) => convertList(input, false, 'iu')],
  ['icontains-all', (input) => convertList(input, true, 'iu')],
  ['starts-with', convertStart],
  ['regex', convertRegex],
  ['is-json', (input) => convertJson(input, true)],
  ['contains-json', (input) => convertJson(input, false)],
  ['javascript', convertJavascript],
  ['latency', (input) => convertLimit(input, 'latency')],
  ['cost', (input) => convertLimit(input, 'cost')],
  ['word-count', convertWordCount],
  ['is-valid-function-call', convertValidCalls],
  ['is-valid-openai-function-call', convertValidCalls],
  ['is-valid-openai-tools-call', convertValidCalls],
  ['tool-call-f1', convertCallNames],
  ['answer-relevance', convertRelevance],
  ['context-faithfulness', convertFaithfulness],
  ['llm-rubric', (input) => convertJudged(input)],
  ['model-graded-closedqa', (input) => convertJudged(input)],
  ['g-eval', (input) => convertJudged(input)],
  ['factuality', convertFactuality],
  ['model-graded-factuality', convertFactuality],
  ['similar', (input) => convertSimilar(input, 'cosine')],
  ['similar:cosine', (input) => convertSimilar(input, 'cosine')],
  ['similar:dot', (input) => convertSimilar(input, 'dot')],
  ['similar:euclidean', (input) => convertSimilar(input, 'euclidean')],
  ['levenshtein', convertLevenshtein],
  ['is-refusal', convertRefusal],
  ['bleu', (input) => convertOverlap(input, 'bleu')],
  ['rouge-n', (input) => convertOverlap(input, 'rouge-n')],
  ['rouge-l', (input) => convertOverlap(input, 'rouge-l')],
])

/** Converts one promptfoo assertion into a check. `type` can begin with `not-`. */
export function convertAssertion(type: string, input: AssertionInput): Conversion {
  const negate = type.startsWith('not-')
  const base = negate ? type.slice('not-'.length) : type
  return CONVERTERS.get(base)?.({ ...input, negate }) ?? { leftOut: omissionReason(base) }
}
