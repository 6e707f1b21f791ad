import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { z } from 'zod'
import {
  arenaOptions,
  changeableOptions,
  commonOptions,
  defaultOf,
  describeRange,
  isInRange,
  limitsOf,
  messageOf,
  parameterOptions,
  readTyped,
  suiteOptions,
  type NumberRange,
  type Option as Described,
  type Options,
  type TypedAs,
} from '../../contract/index.ts'
import type { ReadingOptions } from './reading-options.ts'
import { collectTexts, OUT_FLAGS, OUT_HELP } from './out-files.ts'

/** What the commands read themselves. The options of a request are read by their descriptions. */
export interface RunOptions extends ReadingOptions {
  models?: string[]
  judge?: string[]
  baseUrl?: string
  dryRun?: boolean
  /** From `--set`: parameters by model. */
  set?: ModelSettings
  name?: string
  tag?: string[]
  note?: string
  takeOver?: boolean
  onWorkers?: boolean
  failUnder?: number
  baseline?: string
  /** With a baseline. */
  changedToo?: boolean
  allowMissing: number
  smallestDifference?: number
  /** False with `--no-rerun`. */
  rerun?: boolean
  notWorseThan?: string
  /** In points. */
  margin?: number
  out?: string[]
  output?: (typeof OUTPUT_LEVELS)[number]
  pairs?: boolean
  data?: string
  json?: boolean
}

/** Parses a number in a range, for commander: anything else is refused with exit code 2 and the reason. */
export function number(range: NumberRange) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!isInRange(value, range)) throw new InvalidArgumentError(`It must be ${describeRange(range)}.`)
    return value
  }
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Parses an age: a number and a unit. Returns seconds. */
function readAge(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? []
  const seconds = Number(amount) * (SECONDS[unit] ?? 0)
  if (!(seconds > 0 && Number.isFinite(seconds)))
    throw new InvalidArgumentError('It must be a number with s, m, h, d or w: 30m, 12h, 7d.')
  return seconds
}

/** Parses a comma-separated list; a repeated flag adds to it. */
export function list(text: string, before: string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === '')) throw new InvalidArgumentError('It must be a comma-separated list of names.')
  return [...before, ...items]
}

/** An empty list removes all tags. */
function readTags(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',')]
}

/** What people call a run; for an existing one, what is given replaces what was there. */
export function addLabelOptions(command: Command, { replaces = false } = {}): Command {
  const hint = replaces ? "; '' removes" : ''
  return command
    .option('--name <name>', `what to call the run or series${hint}`)
    .option('--tag <a,b>', replaces ? "its tags, all of them; '' removes them" : 'tags, to find it by', readTags)
    .option('--note <text>', `what to remember about it${hint}`)
}

/** The text of a default that is not commander's, because a request that leaves an option out has its own. */
function describeDefault(option: Described): string {
  const value = defaultOf(option) ?? option.unset
  return typeof value === 'string' || typeof value === 'number' ? ` (default: ${value})` : ''
}

/** Refuses a number with the sentence of the request's schema. */
function checkNumber(value: number, limits: z.ZodType): number {
  const { error } = limits.safeParse(value)
  if (error) throw new InvalidArgumentError(`It ${error.issues.map(({ message }) => message).join(' and ')}.`)
  return value
}

/** `@FILE` is the content of a file. */
function readFileText(text: string): string {
  if (!text.startsWith('@')) return text
  try {
    return readFileSync(text.slice(1), 'utf8')
  } catch (error) {
    throw new InvalidArgumentError(`The file cannot be read: ${messageOf(error)}.`)
  }
}

/** Parses what is typed in a form of its own. A repeated flag adds to it. */
function readTypedFlag(typedAs: TypedAs) {
  return (text: string, before?: unknown): unknown => {
    try {
      const value = readTyped(typedAs, typedAs === 'json' || typedAs === 'format' ? readFileText(text) : text)
      if (Array.isArray(value)) return [...(Array.isArray(before) ? before : []), ...value]
      return typeof value === 'object' ? Object.assign({}, before, value) : value
    } catch (error) {
      throw error instanceof InvalidArgumentError ? error : new InvalidArgumentError(`It ${messageOf(error)}.`)
    }
  }
}

/** The flag of an option of a request. */
export function flagOf(option: Described): Option {
  const flag = new Option(option.flag, option.help + describeDefault(option))
  const limits = limitsOf(option)
  if (option.typedAs !== undefined) return flag.argParser(readTypedFlag(option.typedAs))
  if (limits instanceof z.ZodEnum) return flag.choices(limits.options.map(String))
  if (option.flag.includes(',')) return flag.argParser(list)
  if (option.flag.endsWith('<age>')) return flag.argParser(readAge)
  return limits instanceof z.ZodNumber ? flag.argParser((text) => checkNumber(number({})(text), limits)) : flag
}

function addFlags(command: Command, options: Options): Command {
  for (const option of Object.values(options)) command.addOption(flagOf(option))
  return command
}

/** The difference worth detecting, in points. Below a tenth of one, no number of cases would do. */
export function smallestDifferenceOption(cases = 'cases'): Option {
  return new Option('--smallest-difference <d>', `how many ${cases} to detect D points (default: as seen)`).argParser(
    number({ min: 0.1, max: 100 }),
  )
}

/** The difference that does not matter, in points. */
export function sameWithinOption(): Option {
  return new Option(
    '--same-within <d>',
    'call models the same within D points\n0.1 to 100. Without it: the margin of the run, or of the suite.',
  ).argParser(number({ min: 0.1, max: 100 }))
}

/** What all other models are compared with as the same model, served elsewhere. */
export function referenceOption(): Option {
  return new Option(
    '--reference <model>',
    'one model in several places: compare with this one\nPlaces are hosts, endpoints or quantisations. Without it: MODEL of MODEL#HOST, else its first host.',
  )
}

export const OUTPUT_LEVELS = ['quiet', 'normal', 'full'] as const

/** How much of a result the terminal shows. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--output <level>', 'how much to show (default: normal)').choices(OUTPUT_LEVELS))
    .option('--pairs', 'show all pairs, not only against the first')
}

/** Scores are 0 to 1 internally. */
export function toShare(points: number | undefined): number | undefined {
  return points === undefined ? undefined : points / 100
}

export type ModelSettings = Record<string, Record<string, unknown>>

const names = Object.keys(parameterOptions).join('|')
const SETTING = new RegExp(`^(.+?)\\.(${names})=(.*)$`, 's')

/** Parses `model.parameter=value`. A model's name may hold dots, so the name of the parameter is what divides it. */
function readSetting(text: string, before: ModelSettings = {}): ModelSettings {
  const [, model, name, value] = SETTING.exec(text) ?? []
  const option = Object.entries<Described>(parameterOptions).find(([known]) => known === name)?.[1]
  if (model === undefined || name === undefined || value === undefined || !option)
    throw new InvalidArgumentError(
      `It must be model.parameter=value; the parameters are ${Object.keys(parameterOptions).join(', ')}.`,
    )
  const own = before[model] ?? {}
  return { ...before, [model]: { ...own, [name]: readSettingValue(option, value, own[name]) } }
}

function readSettingValue(option: Described, text: string, before: unknown): unknown {
  if (limitsOf(option) instanceof z.ZodBoolean) {
    if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.')
    return text === 'true'
  }
  const { parseArg } = flagOf(option)
  return parseArg ? parseArg(text, before) : text
}

/** What `run` and `arena` have in common; `addEngineOptions` adds what a resume may change. */
function addModelOptions(command: Command): Command {
  const { models, judgeModelIds, repeat, project, cache, maxCacheAgeSeconds } = commonOptions
  addFlags(addLabelOptions(command), { models, judgeModelIds, repeat, ...parameterOptions })
  command.option('--set <model.name=value>', 'set a parameter of one model; may be repeated', readSetting)
  return addFlags(command, { project, cache, maxCacheAgeSeconds }).option(
    '--dry-run',
    'show requests and cost; send nothing',
  )
}

export function addArenaOptions(command: Command): Command {
  return addFlags(addModelOptions(command), arenaOptions)
}

export function addRunOptions(command: Command): Command {
  return addFlags(addModelOptions(command), suiteOptions)
}

export function addEngineOptions(command: Command): Command {
  return addFlags(command, changeableOptions).option(
    '--on-workers',
    'hand it to workers on other machines (PostgreSQL)',
  )
}

export function addGateOptions(command: Command): Command {
  return addOutputOptions(command)
    .option('--fail-under <score>', 'fail if a model scores less (0–100)', number({ min: 0, max: 100 }))
    .option('--baseline <run>', 'fail if a model is worse than in this run')
    .option('--changed-too', 'with --baseline: compare edited cases too')
    .option('--no-rerun', 'never run both again to be sure; p < 0.0025 fails')
    .option('--not-worse-than <model>', 'fail if one may be worse than it by over --margin')
    .option('--margin <d>', 'points that do not matter (0.1–100)', number({ min: 0.1, max: 100 }))
    .option('--allow-missing <n>', 'how many cells without a score a gate allows', number({ min: 0, isWhole: true }), 0)
    .addOption(smallestDifferenceOption())
    .option(OUT_FLAGS, OUT_HELP, collectTexts)
}
