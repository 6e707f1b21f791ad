import { InvalidArgumentError, Option, type Command } from 'commander'
import { runLimits } from '../../contract/index.ts'
import { collectFiles, describeExtensions, OUT_FLAGS } from './out-files.ts'

export interface RunOptions {
  models?: string[]
  judge?: string[]
  combine?: 'mean' | 'median'
  repeat: number
  benchmarkMode?: boolean
  temperature?: number
  topP?: number
  maxTokens?: number
  frequencyPenalty?: number
  presencePenalty?: number
  concurrency?: number
  timeout?: number
  maxCost?: number
  baseUrl?: string
  filter?: string[]
  limit?: number
  dryRun?: boolean
  takeOver?: boolean
  cache?: boolean
  failUnder?: number
  baseline?: string
  allowMissing: number
  out?: string[]
  data?: string
  json?: boolean
}

interface Range {
  min?: number
  max?: number
  whole?: boolean
}

/** A number in a range, for commander: what is outside ends with exit code 2 and says why. */
export function number({ min = -Infinity, max = Infinity, whole = false }: Range) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const range = `${whole ? 'a whole number' : 'a number'}${min > -Infinity ? ` from ${min}` : ''}${max < Infinity ? ` to ${max}` : min > -Infinity ? ' on' : ''}`
    if (!(value >= min && value <= max) || !Number.isFinite(value) || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(`It must be ${range}.`)
    return value
  }
}

/** Names with commas between them; a flag that is repeated adds to what it said before. */
export function list(text: string, before: string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === '')) throw new InvalidArgumentError('It must be names with commas between them.')
  return [...before, ...items]
}

/** How the grades of several judges become one score. */
export function combineOption(): Option {
  return new Option('--combine <how>', 'the score of several judges: their mean (default) or median').choices([
    'mean',
    'median',
  ])
}

/** Who is asked and how; the Code Arena takes these too. */
export function addModelOptions(command: Command): Command {
  return command
    .option('--models <a,b>', 'models to compare (default: the three simulated ones)', list)
    .option('--judge <model,…>', 'judge model; several make a panel', list)
    .addOption(combineOption())
    .option(
      '--repeat <n>',
      'run so many times, one after another, as a series',
      number({ min: 1, max: runLimits.repeat, whole: true }),
      1,
    )
    .option('--benchmark-mode', 'temperature and penalties 0, for reproducible answers')
    .option('--temperature <t>', 'default 0.7', number({ min: 0, max: 2 }))
    .option('--top-p <p>', 'default 1', number({ min: 0, max: 1 }))
    .option('--max-tokens <n>', 'longest answer, default 2048', number({ min: 1, whole: true }))
    .option('--frequency-penalty <x>', 'default 0', number({ min: -2, max: 2 }))
    .option('--presence-penalty <x>', 'default 0', number({ min: -2, max: 2 }))
    .option('--cache', 'take answers to the same request from earlier runs instead of asking again')
    .option('--dry-run', 'show what would be sent and what it would cost, and send nothing')
}

/** The options of `run`; `resume` takes those that do not change what is asked. */
export function addRunOptions(command: Command): Command {
  return addModelOptions(command)
    .option('--filter <tag|category|id,…>', 'only cases with one of these', list)
    .option('--limit <n>', 'only the first so many cases', number({ min: 1, whole: true }))
}

export function addEngineOptions(command: Command): Command {
  return command
    .option(
      '--concurrency <n>',
      'requests at once at a provider, default 5',
      number({ min: 1, max: runLimits.concurrency, whole: true }),
    )
    .option(
      '--timeout <s>',
      'seconds to the first token, default 120',
      number({ min: 0.1, max: runLimits.timeoutSeconds }),
    )
    .option('--max-cost <usd>', 'stop before this is passed, judges included', number({ min: 0 }))
    .option('--base-url <url>', 'an OpenAI-compatible endpoint for all models but demo/…')
}

export function addGateOptions(command: Command): Command {
  return command
    .option('--fail-under <score>', 'exit 1 when a model scores less (0–100)', number({ min: 0, max: 100 }))
    .option('--baseline <run>', 'exit 1 when a model is significantly worse than in this run')
    .option('--allow-missing <n>', 'cells without a score that a gate lets pass', number({ min: 0, whole: true }), 0)
    .option(
      OUT_FLAGS,
      `write results, by extension: ${describeExtensions()}; several files, or several times`,
      collectFiles,
    )
}
