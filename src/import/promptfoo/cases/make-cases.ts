import type { ReadTools } from '../providers/tools.ts'
import {
  type Message,
  InputError,
  countNoun,
  writeNumber,
  isRecord,
  readCluster,
  asText,
} from '../../../contract/index.ts'
import type { ImportedCheck } from '../assertions/assertions.ts'
import type { Expression } from '../prompts/expressions.ts'
import type { ImportContext } from '../import-warnings.ts'
import { readEmbedder, readGrader, readRubricPrompt } from '../providers/graders.ts'
import type { OutputForm } from '../assertions/javascript-checks.ts'
import { contextOf, type PlacedTest, type LayeredTest } from './tests.ts'
import { readChat, type ImportedPrompt } from '../prompts/prompts.ts'
import { findLogic, render, resolveVariables, type Variables } from '../prompts/template.ts'
import { makeChecks, readAssertions, readTransform, type CheckMaking } from './test-checks.ts'
import { PREFIX, SUFFIX } from '../providers/variants.ts'
import {
  expandPattern,
  isFileReference,
  readDocument,
  readImage,
  readReference,
  readReferenced,
  runsCode,
} from '../config/referenced-files.ts'
import { mediaTypeOf } from '../../suite-files/images.ts'

const MOST_COMBINATIONS = 100_000

const UNREADABLE = Symbol('unreadable')
const NOT_TEXT = new Set(['.pdf', '.mp4', '.mp3', '.wav', '.xlsx'])

/** Reads `file://…` as the text of that file, or an image as a data: URL; with a `*`, as the texts of all matching files. */
async function readVariable(value: unknown, place: string, context: ImportContext): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = await Promise.all(value.map(async (item: unknown) => readVariable(item, place, context)))
    return items.includes(UNREADABLE) ? UNREADABLE : items
  }
  if (!isFileReference(value)) return value
  const reference = readReference(value, context, place)
  if (runsCode(reference) || NOT_TEXT.has(reference.extension)) {
    context.warnings.add(
      place,
      `the variable ${value} is made by code or is not text, which is not supported; tests that use it are left out`,
    )
    return UNREADABLE
  }
  const texts = await Promise.all(
    (await expandPattern(reference)).map(async (one) =>
      mediaTypeOf(one.path) === undefined ? (await readReferenced(one)).trim() : readImage(one),
    ),
  )
  return value.includes('*') ? texts : texts[0]
}

async function readVars(
  { fields: { vars }, place }: PlacedTest,
  context: ImportContext,
): Promise<Record<string, unknown>> {
  if (vars === undefined || vars === null) return {}
  if (isRecord(vars)) return vars
  const merged: Record<string, unknown> = {}
  for (const name of [vars].flat()) {
    const reference = readReference(name, context, place(['vars']))
    for (const one of await expandPattern(reference)) {
      const { value } = await readDocument(one)
      if (!isRecord(value)) throw new InputError(`${place(['vars'])}: ${one.path}: variables are name: value`)
      Object.assign(merged, value)
    }
  }
  return merged
}

/** Merges the variables of all layers; later layers win. Returns `undefined` if one cannot be read. */
async function mergeVariables(layers: PlacedTest[], context: ImportContext): Promise<Variables | undefined> {
  const merged = new Map<string, unknown>()
  for (const layer of layers) {
    const inLayer = contextOf(layer, context)
    for (const [name, value] of Object.entries(await readVars(layer, inLayer)))
      merged.set(name, await readVariable(value, layer.place(['vars', name]), inLayer))
  }
  return [...merged.values()].includes(UNREADABLE) ? undefined : Object.fromEntries(merged)
}

/** As in promptfoo, a list that begins with text is a list of values; any other list is one value. */
function isListOfValues(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof value[0] === 'string'
}

/** Expands lists of values: a test for every value, or for every combination if there are several lists. */
function expandVariables(variables: Variables, place: string): Variables[] {
  const lists = Object.entries(variables).filter((entry): entry is [string, unknown[]] => isListOfValues(entry[1]))
  const count = lists.reduce((product, [, values]) => product * values.length, 1)
  if (count > MOST_COMBINATIONS) {
    throw new InputError(
      `${place}: its lists of variables make ${countNoun(count, 'test')}; at most ${writeNumber(MOST_COMBINATIONS)} are taken`,
    )
  }
  return lists.reduce<Variables[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [variables],
  )
}

export interface NamedTest extends LayeredTest {
  id: string
  /** `test 3 (its description)`, for warnings. */
  label: string
}

export interface MadeCase {
  testCase: Record<string, unknown>
  place: string
}

export interface CaseMaking {
  config: Record<string, unknown>
  /** The prompt of every case; undefined if the variants have the prompts. */
  prompt: ImportedPrompt | undefined
  /** The values that the variants' prompts use. */
  expressions: readonly Expression[]
  withAffixes: boolean
  /** The functions that every case offers. */
  tools: ReadTools
  /** What promptfoo hands the code of an assertion. */
  form: OutputForm
  context: ImportContext
  keepUnchecked: boolean
}

const TEST_FIELDS = new Set(['description', 'vars', 'assert', 'options', 'metadata', 'threshold'])
const OPTION_FIELDS = new Set([
  'prefix',
  'suffix',
  'disableVarExpansion',
  'disableDefaultAsserts',
  'provider',
  'rubricPrompt',
  'transform',
  // The older name of transform.
  'postprocess',
])

function isTrue(layers: PlacedTest[], option: string): boolean {
  return layers.some(({ fields: { options } }) => options?.[option] === true)
}

/** How promptfoo runs a test: no answer and no score depends on it. */
const RUNNING = new Set(['timeout', 'repeat', 'runSerially', 'delay'])

function noteUnused({ fields, place }: PlacedTest, label: string, { warnings }: ImportContext): void {
  const where = `${place([])}: ${label}`
  const options = Object.keys(fields.options ?? {}).filter((key) => !OPTION_FIELDS.has(key) && !RUNNING.has(key))
  const unused = [
    ...Object.keys(fields).filter((key) => !TEST_FIELDS.has(key)),
    ...options.map((key) => `options.${key}`),
  ]
  if (unused.length > 0) warnings.add(where, `${unused.join(', ')} not used`)
}

/** Makes category and difficulty text and tags a list, whatever they are in the config. */
function makeMetadata({ layers, scenario }: LayeredTest): Record<string, unknown> {
  const merged = new Map<string, unknown>(scenario === undefined ? [] : [['category', scenario]])
  for (const { fields } of layers) {
    if (fields.description !== undefined) merged.set('description', fields.description)
    for (const [key, value] of Object.entries(fields.metadata ?? {}))
      merged.set(key, key === 'category' || key === 'difficulty' ? asText(value) : value)
  }
  const tags = [merged.get('tags') ?? []].flat().map(asText)
  if (tags.length > 0) merged.set('tags', tags)
  return Object.fromEntries(merged)
}

/** Older prompts write `data:image/png;base64,{{image}}` around a variable that already is such a URL. */
function cleanImage(image: string): string {
  return image.replace(/^data:[^,]*,(?=data:)/, '')
}

function fillContent(
  content: string | Message[],
  fill: (text: string) => string,
): { prompt: string } | { messages: Message[] } {
  if (typeof content === 'string') return { prompt: fill(content) }
  const fillPart = (part: Exclude<Message['content'], string>[number]) =>
    part.type === 'text' ? { ...part, text: fill(part.text) } : { ...part, image: cleanImage(fill(part.image)) }
  return {
    messages: content.map(({ role, content: parts }) => ({
      role,
      content: typeof parts === 'string' ? fill(parts) : parts.map(fillPart),
    })),
  }
}

/** Without a check, the answers are only collected. */
function makeScoring(checks: ImportedCheck[], keepUnchecked: boolean): Record<string, unknown> {
  const [first, ...others] = checks
  if (!first) return { scoringMethod: keepUnchecked ? 'boolean' : 'none' }
  // A case has no place for the name of its only check.
  if (others.length > 0 || first['name'] !== undefined || first.scoringMethod === 'group') return { checks }
  // With several assertions, a weight is the assertion's share, not the weight of the case.
  const { weight: _weight, ...check } = first
  return check
}

/** The threshold of a test is its pass mark. */
function passMarkOf(layers: PlacedTest[]): { passAt?: number } {
  const threshold = layers.findLast(({ fields }) => typeof fields.threshold === 'number')?.fields.threshold
  return typeof threshold === 'number' && threshold >= 0 && threshold <= 1 ? { passAt: threshold } : {}
}

/** What the options of a test and its defaults say about checking: the later layer wins. */
async function readTestOptions(
  layers: PlacedTest[],
  label: string,
  context: ImportContext,
): Promise<Pick<CheckMaking, 'transform' | 'rubricPrompt' | 'embedder'>> {
  const found = (names: string[]) =>
    layers.findLast(({ fields: { options } }) => names.some((name) => options?.[name] !== undefined))
  const valueOf = (layer: PlacedTest, names: string[]) =>
    names.map((name) => layer.fields.options?.[name]).find((value) => value !== undefined)
  const read = async <T>(
    names: string[],
    use: (value: unknown, place: string, context: ImportContext) => Promise<T>,
  ) => {
    const layer = found(names)
    if (!layer) return undefined
    return use(valueOf(layer, names), `${layer.place(['options'])}: ${layer.name ?? label}`, contextOf(layer, context))
  }
  await read(['provider'], async (value, place, inLayer) => readGrader(value, place, inLayer))
  return {
    embedder: await read(['provider'], async (value) => readEmbedder(value)),
    transform: (await read(['transform', 'postprocess'], readTransform)) ?? { code: [] },
    rubricPrompt: await read(['rubricPrompt'], readRubricPrompt),
  }
}

function optionOf(layers: PlacedTest[], name: string): string {
  return asText(layers.findLast(({ fields: { options } }) => options?.[name] !== undefined)?.fields.options?.[name])
}

function asSuiteVars(variables: Variables): Record<string, string | number | boolean> {
  const keep = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? value : asText(value))
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, keep(value)]))
}

interface FilledTest {
  id: string
  place: string
  variables: Variables
  checks: ImportedCheck[]
}

interface Filled {
  question: { prompt: string } | { messages: Message[] } | undefined
  vars: Variables
}

/** Fills the prompt, if all cases have the same one. */
function fillPrompt(
  prompt: ImportedPrompt,
  test: LayeredTest,
  { place, variables }: FilledTest,
  { warnings }: ImportContext,
) {
  const [prefix, suffix] = [optionOf(test.layers, 'prefix'), optionOf(test.layers, 'suffix')]
  const missing = new Set<string>()
  const fill = (text: string) => {
    const rendered = render(text, variables)
    for (const name of rendered.missing) missing.add(`{{${name}}}`)
    return rendered.text
  }
  const isChat = typeof prompt.content !== 'string'
  const question = fillContent(
    typeof prompt.content === 'string' ? prefix + prompt.content + suffix : prompt.content,
    fill,
  )
  if (isChat && prefix + suffix !== '') warnings.add(place, 'prefix and suffix are not used: the prompt is a chat')
  if (missing.size > 0) warnings.add(place, `${[...missing].join(', ')} of the prompt has no value and is left empty`)
  // Only once filled, a template may be JSON.
  const chat = 'prompt' in question ? readChat(question.prompt, place) : undefined
  return { question: chat ? { messages: chat } : question, vars: variables }
}

/** Adds the values that the prompts of the variants use. */
function fillVariants(test: LayeredTest, { place, variables }: FilledTest, making: CaseMaking): Filled {
  const { expressions, withAffixes, context } = making
  const values = expressions.map(({ name, evaluate }) => [name, evaluate(variables)] as const)
  const missing = values.flatMap(([name, value]) => (value === undefined ? [`{{${name}}}`] : []))
  if (missing.length > 0)
    context.warnings.add(place, `${missing.join(', ')} of the prompts has no value and is left empty`)
  return {
    question: undefined,
    vars: {
      ...variables,
      ...Object.fromEntries(values.map(([name, value]) => [name, value ?? ''])),
      ...(withAffixes && { [PREFIX]: optionOf(test.layers, 'prefix'), [SUFFIX]: optionOf(test.layers, 'suffix') }),
    },
  }
}

function makeCase(test: LayeredTest, filled: FilledTest, making: CaseMaking): MadeCase {
  const { id, place, checks } = filled
  const { prompt, context } = making
  const { question, vars } = prompt ? fillPrompt(prompt, test, filled, context) : fillVariants(test, filled, making)
  const metadata = makeMetadata(test)
  const suiteVars = asSuiteVars(vars)
  const cluster = readCluster({ metadata, vars: filled.variables }, 'cluster')
  return {
    place,
    testCase: {
      id,
      ...question,
      ...makeScoring(checks, making.keepUnchecked),
      ...passMarkOf(test.layers),
      ...(making.tools.shared && { tools: making.tools.shared }),
      ...(cluster !== undefined && { cluster }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(Object.keys(suiteVars).length > 0 && { vars: suiteVars }),
    },
  }
}

/** Makes all cases of one test: one for every combination of its variables. */
export async function makeCases(test: NamedTest, making: CaseMaking): Promise<MadeCase[]> {
  const { layers, label } = test
  const { config, context, keepUnchecked } = making
  const own = layers.at(-1)!
  const place = `${own.place([])}: ${label}`
  for (const layer of layers) noteUnused(layer, layer.name ?? label, context)

  const merged = await mergeVariables(layers, context)
  if (!merged) return []
  for (const [name, value] of Object.entries(merged)) {
    const logic = typeof value === 'string' ? findLogic(value) : undefined
    if (logic !== undefined)
      context.warnings.add(place, `the variable ${name} holds ${logic}, which is kept as it is written`)
  }
  const asserting = isTrue(layers, 'disableDefaultAsserts') ? [own] : layers
  const assertions = (
    await Promise.all(asserting.map(async (layer) => readAssertions(layer, layer.name ?? label, config, context)))
  ).flat()

  const hasLost = asserting.some(({ fields }) => (fields.assert ?? []).length > 0)
  const options = await readTestOptions(layers, label, context)
  const combinations = isTrue(layers, 'disableVarExpansion') ? [merged] : expandVariables(merged, place)
  return combinations.flatMap((combination, index) => {
    const variables = resolveVariables(combination, place)
    const checks = makeChecks(assertions, {
      context,
      variables,
      tools: making.tools.known,
      form: making.form,
      ...options,
    })
    if (checks.length === 0) {
      const done = keepUnchecked ? 'every answer to it scores 100' : 'its answers are collected, not scored'
      if (hasLost) context.warnings.add(place, `has no assertion left: ${done}`)
      else context.tally.unchecked.add(test.id)
    }
    const id = combinations.length > 1 ? `${test.id}.${index + 1}` : test.id
    return [makeCase(test, { id, place, variables, checks }, making)]
  })
}
