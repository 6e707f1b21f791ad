import { dirname } from 'node:path'
import { InputError, countNoun, isRecord } from '../../../contract/index.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import { allowFilesBelow, type AllowedFiles } from '../../text/allowed-files.ts'
import { escapeSuiteVariables } from '../../suite-files/variables.ts'
import { Graders, ImportWarnings, Tally, type ImportContext, type ReadHub } from '../import-warnings.ts'
import { makeCases, type MadeCase, type NamedTest } from '../cases/make-cases.ts'
import { makeSlug, makeVariants } from '../providers/variants.ts'
import { readPrompts, type ImportedPrompt } from '../prompts/prompts.ts'
import { readProviders, type ImportedProvider } from '../providers/providers.ts'
import type { OutputForm } from '../assertions/javascript-checks.ts'
import { readTests, type LayeredTest } from '../cases/tests.ts'
import { readTools } from '../providers/tools.ts'
import { finishSuite, listScorers, type FinishedSuite } from '../../suite-files/finish-suite.ts'
import { readSource } from '../../text/source-text.ts'
import { parseDocument } from './referenced-files.ts'

/** `{{env.NAME}}`, `{{ env['NAME'] }}`, `{{ env.NAME | default('x') }}` */
const ENV =
  /\{\{-?\s*env(?:\.(\w+)|\[\s*['"](\w+)['"]\s*\])\s*(?:\|\s*default\(\s*(['"])([^'"]*)\3\s*(?:,\s*true\s*)?\)\s*)?-?\}\}/g

const SECRETS = /key|token|secret|password|credential|auth/i

/**
 * Fills `{{env.NAME}}` in every text of a config with what the config itself says under `env`, or with its default. The
 * environment of this machine is not read: a config of somebody else would get its keys into prompts.
 */
function readEnvironment(config: unknown): (value: unknown) => unknown {
  const env = new Map(isRecord(config) && isRecord(config['env']) ? Object.entries(config['env']) : [])
  const fillText = (text: string): string =>
    text.replaceAll(ENV, (tag, plain: string | undefined, quoted: string | undefined, _quote, other?: string) => {
      const name = plain ?? quoted ?? ''
      const value = SECRETS.test(name) ? undefined : env.get(name)
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : (other ?? tag)
    })
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes('{{') ? fillText(value) : value
    if (Array.isArray(value)) return value.map(fill)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  return fill
}

export interface PromptfooOptions {
  /** Every answer to a test without an assertion scores 100, as in promptfoo. By default it is not scored. */
  keepUnchecked?: boolean | undefined
  /** Folders and files that a suite or config may name besides those in its own folder. */
  allowFiles?: readonly string[] | undefined
  /** Takes over JavaScript, which runs when answers are scored. */
  allowCode?: boolean | undefined
  /** Evaluates a config written in JavaScript or TypeScript; only called with `allowCode`. */
  evaluateConfig?: ((source: string, file: string) => Promise<unknown>) | undefined
  /** Reads the rows of a dataset on the hub; without it, tests that name one are refused. */
  readHub?: ReadHub | undefined
}

export interface ConvertedConfig {
  /** A suite, not validated yet; text with `{{…}}` is escaped. */
  raw: unknown
  /** The place in the config from which a value of the suite comes. */
  locate(path: readonly PropertyKey[]): string
  warnings: string[]
  /** What a person must know to run it, although nothing was changed or lost: models that are not known here, keys. */
  notes: string[]
  /** Models that the config uses, under their names here. */
  suggestedModels: string[]
  /** The address that the config asks them at. */
  suggestedEndpoint?: string
  /** The graders of the config, under their names here. */
  suggestedJudges: string[]
  /** What came over, by count. */
  summary: string
}

const CONFIG_FIELDS = new Set([
  '$schema',
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  'assertionTemplates',
  // How promptfoo runs and shows an eval: no answer and no score depends on it.
  'author',
  'commandLineOptions',
  'env',
  'evaluateOptions',
  'filters',
  'derivedMetrics',
  'metadata',
  'nunjucksFilters',
  'outputPath',
  'redteam',
  'sharing',
  'tags',
  'tracing',
  'writeLatestResults',
])

/** Without this, a judge would compare the response with the rubric as if it were a reference answer. */
const JUDGE_SYSTEM_PROMPT = [
  'The expected output is a criterion that the response must meet, or facts that it must agree with.',
  'It is not a wording to repeat: grade how well the response meets it, on the scale given to you and on no other that it may name.',
].join(' ')

/** Names tests by their description or else by their number; every id is unique. */
function nameTests(tests: LayeredTest[]): NamedTest[] {
  const taken = new Set<string>()
  return tests.map((test, index) => {
    const description = test.layers.at(-1)!.fields.description
    const base = makeSlug(description ?? '') || `test-${index + 1}`
    const withPart = test.scenarioPart === undefined ? base : `${base}.${test.scenarioPart}`
    const id = taken.has(withPart) ? `${withPart}-${index + 1}` : withPart
    taken.add(id)
    return {
      ...test,
      id,
      label: description === undefined ? `test ${index + 1}` : `test ${index + 1} (${description})`,
    }
  })
}

type Scored = { scoringMethod?: unknown; checks?: unknown; check?: unknown; embeddingModel?: unknown }

/** A case or check, with those in its list of checks and the one after its transform. */
function listScored(scored: Scored): Scored[] {
  const inner = [scored.checks ?? [], scored.check ?? []].flat() as Scored[]
  return [scored, ...inner.flatMap(listScored)]
}

function isJudgedCase({ testCase }: MadeCase): boolean {
  return listScored(testCase).some(({ scoringMethod }) => scoringMethod === 'llm-judge')
}

/** An embedding model that all cases share is named once, in the suite. */
function hoistEmbeddingModel(made: readonly MadeCase[]): { embeddingModel?: unknown } {
  const scored = made.flatMap(({ testCase }) => listScored(testCase)).filter((one) => one.scoringMethod === 'similar')
  const models = new Set(scored.map(({ embeddingModel }) => embeddingModel))
  if (models.size !== 1) return {}
  for (const one of scored) delete one.embeddingModel
  const [embeddingModel] = models
  return { embeddingModel }
}

function refuseEmpty(file: string, tests: number, { warnings }: ImportContext): never {
  throw new InputError([`${file}: none of its ${tests} tests can be used`, ...warnings.list()].join('\n'))
}

/** What the config says about how promptfoo runs it, and how the same is said here. */
function noteEvaluateOptions(config: Record<string, unknown>, place: string, { warnings }: ImportContext): void {
  const options = config['evaluateOptions']
  const repeat = isRecord(options) ? options['repeat'] : undefined
  if (typeof repeat === 'number' && repeat > 1)
    warnings.note(place, `evaluateOptions.repeat: run the suite with --repeat ${repeat}`)
}

/** Figures that promptfoo computes from named assertions: each answer keeps those, and no score depends on the figures. */
function noteDerivedMetrics(config: Record<string, unknown>, place: string, { warnings }: ImportContext): void {
  if (config['derivedMetrics'] !== undefined)
    warnings.note(place, 'derivedMetrics are not computed here; what they are made of is kept with each answer')
}

/** Attacks that promptfoo's plugins would write: without them there is nothing to ask. */
function checkRedTeam(config: Record<string, unknown>, document: LocatedDocument, { warnings }: ImportContext): void {
  if (config['redteam'] === undefined) return
  const place = document.locate(['redteam'])
  if (config['tests'] === undefined && config['scenarios'] === undefined)
    throw new InputError(
      `${place}: its tests are written by promptfoo's red team plugins, which are not run here. Write them with "promptfoo redteam generate -o redteam.yaml" and import that file`,
    )
  if (isRecord(config['redteam']) && config['redteam']['plugins'] !== undefined)
    warnings.add(place, "the attacks that promptfoo's red team plugins would write are not among the tests")
}

/**
 * What promptfoo hands the code of assertions: of OpenAI's models the parsed answer if its format is a JSON Schema, the calls if it
 * has tools, else the text.
 */
function findOutputForm(providers: readonly ImportedProvider[], prompts: readonly ImportedPrompt[]): OutputForm {
  if (providers.some(({ tools }) => tools !== undefined)) return 'unknown'
  const formats = providers.flatMap(({ id, parameters }) =>
    prompts.map(({ settings }) => ({ id, format: settings?.parameters.responseFormat ?? parameters.responseFormat })),
  )
  // OpenAI's chat completions are parsed for a schema only, not for JSON of any shape.
  const isText = ({ id, format }: (typeof formats)[number]) =>
    format === undefined ||
    format === 'text' ||
    (format === 'json' && /^openai:(?!(?:responses|assistant|realtime):)/.test(id))
  if (formats.every(isText)) return 'text'
  const isParsed = ({ id, format }: (typeof formats)[number]) =>
    typeof format === 'object' && /^(?:adaline:)?(?:openai|azure)(?:openai)?:/.test(id)
  return formats.every(isParsed) ? 'json' : 'unknown'
}

interface Outcome {
  prompts: number
  tests: number
  made: readonly MadeCase[]
  keepUnchecked: boolean
  context: ImportContext
}

/** `From promptfoo: 2 prompts, 15 tests as 15 cases, 33 assertions: 28 whole, 2 changed, 3 lost.` */
function summariseImport({ prompts, tests, made, keepUnchecked, context: { tally, warnings } }: Outcome): string {
  const { assertions, lost } = tally
  const changed = [...tally.changed].filter((place) => assertions.has(place) && !lost.has(place)).length
  const kinds = [
    `${assertions.size - lost.size - changed} whole`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(lost.size > 0 ? [`${lost.size} lost`] : []),
  ]
  const listed = warnings.list().length
  return [
    `From promptfoo: ${countNoun(prompts, 'prompt')}, ${countNoun(tests, 'test')} as ${countNoun(made.length, 'case')}, ${countNoun(assertions.size, 'assertion')}`,
    assertions.size > 0 ? `: ${kinds.join(', ')}` : '',
    tally.unchecked.size > 0
      ? `; ${countNoun(tally.unchecked.size, 'test')} without one: their answers ${keepUnchecked ? 'score 100' : 'are collected, not scored'}`
      : '',
    listed > 0
      ? `. ${listed === 1 ? 'One thing was' : `${listed} things were`} changed or lost, listed by place.`
      : '. Everything came over.',
  ].join('')
}

/** Converts a promptfoo config into a suite; the warnings list everything that was left out or changed. */
export async function convertConfig(
  document: LocatedDocument,
  file: string,
  {
    keepUnchecked = false,
    allowFiles = [],
    allowCode = false,
    readHub,
    files,
  }: PromptfooOptions & { files?: AllowedFiles } = {},
): Promise<ConvertedConfig> {
  if (typeof document.value !== 'object' || document.value === null)
    throw new InputError(`${file}: is not a promptfoo config`)
  const fillEnv = readEnvironment(document.value)
  const config: Record<string, unknown> = { ...Object(fillEnv(document.value)) }
  const warnings = new ImportWarnings()
  const folder = dirname(file)
  const allowed = files ?? allowFilesBelow([folder, ...allowFiles])
  const context: ImportContext = {
    folder,
    warnings,
    files: { ...allowed, readText: async (path) => String(fillEnv(await allowed.readText(path))) },
    tally: new Tally(),
    allowCode,
    ...(readHub && { readHub }),
    graders: new Graders(),
  }

  checkRedTeam(config, document, context)
  noteEvaluateOptions(config, document.locate(['evaluateOptions']), context)
  noteDerivedMetrics(config, document.locate(['derivedMetrics']), context)
  const unused = Object.keys(config).filter((key) => !CONFIG_FIELDS.has(key))
  if (unused.length > 0) warnings.add(document.locate([unused[0]!]), `${unused.join(', ')} of the config not used`)
  const { providers, suggestedModels, suggestedEndpoint } = await readProviders(config, document, context)
  const prompts = await readPrompts(config, document, context)
  const tests = nameTests(await readTests(config, document, context))

  const withAffixes = tests.some(({ layers }) =>
    layers.some(({ fields: { options } }) => Boolean(options?.['prefix'] ?? options?.['suffix'])),
  )
  // Before the variants, whose parameters may have tools.
  const tools = await readTools(providers, context)
  const { variants, expressions } = makeVariants(prompts, providers, { withAffixes }, context)
  const prompt = prompts.length === 1 ? prompts[0] : undefined
  const form = findOutputForm(providers, prompts)
  const making = { config, prompt, expressions, withAffixes, tools, form, context, keepUnchecked }

  const made: MadeCase[] = []
  for (const test of tests) made.push(...(await makeCases(test, making)))
  if (made.length === 0) refuseEmpty(file, tests.length, context)

  const { description } = config
  const suite = {
    name: typeof description === 'string' && description !== '' ? description : 'promptfoo suite',
    ...(made.some(isJudgedCase) && { judgeSystemPrompt: JUDGE_SYSTEM_PROMPT }),
    ...hoistEmbeddingModel(made),
    ...(variants.length > 0 && { variants }),
    testCases: made.map(({ testCase }) => testCase),
  }
  return {
    raw: escapeSuiteVariables(suite),
    locate: ([field, index]) =>
      (field === 'testCases' && typeof index === 'number' ? made[index]?.place : undefined) ?? file,
    warnings: warnings.list(),
    notes: warnings.listNotes(),
    suggestedModels,
    suggestedJudges: made.some(isJudgedCase) ? [...context.graders.models] : [],
    summary: summariseImport({ prompts: prompts.length, tests: tests.length, made, keepUnchecked, context }),
    ...(suggestedEndpoint !== undefined && { suggestedEndpoint }),
  }
}

export type ImportedConfig = FinishedSuite & Omit<ConvertedConfig, 'raw' | 'locate' | 'warnings'>

/** Reads a promptfoo config with the files it names. */
export async function loadPromptfooConfig(
  file: string,
  options: PromptfooOptions = {},
  evaluated?: LocatedDocument,
): Promise<ImportedConfig> {
  const document = evaluated ?? parseDocument(await readSource(file), file)
  const { raw, locate, warnings, ...suggested } = await convertConfig(document, file, options)
  const finished = finishSuite(raw, locate, listScorers(options))
  return { suite: finished.suite, warnings: [...warnings, ...finished.warnings], ...suggested }
}
