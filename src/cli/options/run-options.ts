import { InvalidArgumentError, Option, type Command } from 'commander'
import { providerLimitRange, runLimits } from '../../contract/index.ts'
import { RUNS_GUIDANCE } from '../../report/words/runs/runs-needed.ts'
import type { ReadingOptions } from './reading-options.ts'
import { collectFiles, listExtensions, OUT_FLAGS } from './out-files.ts'

export interface RunOptions extends ReadingOptions {
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
  requestsPerMinute?: number
  tokensPerMinute?: number
  timeout?: number
  maxTime?: number
  maxCost?: number
  baseUrl?: string
  filter?: string[]
  limit?: number
  until?: 'decided'
  decide?: 'all' | 'best'
  screen?: number
  orderSeed?: string
  dryRun?: boolean
  name?: string
  tag?: string[]
  note?: string
  takeOver?: boolean
  cache?: boolean
  maxCacheAge?: number
  project?: string
  batch?: boolean
  onWorkers?: boolean
  failUnder?: number
  baseline?: string
  allowMissing: number
  smallestDifference?: number
  out?: string[]
  data?: string
  json?: boolean
}

interface Range {
  min?: number
  max?: number
  whole?: boolean
}

/** Parses a number in a range, for commander: anything else is refused with exit code 2 and the reason. */
export function number({ min = -Infinity, max = Infinity, whole = false }: Range) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!(value >= min && value <= max) || !Number.isFinite(value) || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(`It must be ${describeRange({ min, max, whole })}.`)
    return value
  }
}

function describeRange({ min, max, whole }: Required<Range>): string {
  const kind = whole ? 'a whole number' : 'a number'
  if (min === -Infinity) return max === Infinity ? kind : `${kind} of at most ${max}`
  return max === Infinity ? `${kind} of at least ${min}` : `${kind} from ${min} to ${max}`
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

/** How to combine the grades of several judges into one score. */
export function combineOption(): Option {
  return new Option('--combine <how>', 'how to combine several judges: mean (default) or median').choices([
    'mean',
    'median',
  ])
}

/** The difference worth detecting, in points. Below a tenth of one, no number of cases would do. */
export function smallestDifferenceOption(cases = 'cases'): Option {
  return new Option(
    '--smallest-difference <points>',
    `say how many ${cases} it takes to detect this difference (0.1–100; default: the observed one)`,
  ).argParser(number({ min: 0.1, max: 100 }))
}

/** Scores are 0 to 1 internally. */
export function toShare(points: number | undefined): number | undefined {
  return points === undefined ? undefined : points / 100
}

/** Which models to ask and how; shared with the Code Arena. */
export function addModelOptions(command: Command): Command {
  return addLabelOptions(command)
    .option('--models <a,b>', 'models to compare (default: the three simulated ones)', list)
    .option('--judge <model,…>', 'judge model; several form a panel', list)
    .addOption(combineOption())
    .option(
      '--repeat <n>',
      `run n times, one after another, as a series; ${RUNS_GUIDANCE}`,
      number({ min: 1, max: runLimits.repeat, whole: true }),
      1,
    )
    .option('--benchmark-mode', 'set temperature and penalties to 0, for reproducible answers')
    .option('--temperature <t>', 'default 0.7', number({ min: 0, max: 2 }))
    .option('--top-p <p>', 'default 1', number({ min: 0, max: 1 }))
    .option('--max-tokens <n>', 'maximum length of an answer, default 2048', number({ min: 1, whole: true }))
    .option('--frequency-penalty <x>', 'default 0', number({ min: -2, max: 2 }))
    .option('--presence-penalty <x>', 'default 0', number({ min: -2, max: 2 }))
    .option('--project <name>', 'the project that pays for the run, for budgets of a team')
    .option('--cache', 'reuse answers to identical requests from earlier runs')
    .option('--max-cache-age <age>', 'reuse only answers up to this age, such as 12h or 7d; implies --cache', readAge)
    .option('--dry-run', 'show what would be sent and what it would cost; send nothing')
}

/** The options of `run` on top of those that `resume` also has. */
export function addRunOptions(command: Command): Command {
  return addModelOptions(command)
    .option('--filter <tag|category|id,…>', 'only cases with one of these tags, categories or ids', list)
    .option('--limit <n>', 'only the first n cases', number({ min: 1, whole: true }))
    .option('--batch', "use the provider's batches: half the price, up to a day until the answers are there")
    .addOption(
      new Option(
        '--until <decided>',
        'stop when it is decided how the models compare, the budget is spent or the suite is at its end',
      ).choices(['decided']),
    )
    .addOption(
      new Option(
        '--decide <what>',
        'every pair of models (all, default with --until) or only which is best: models that are worse drop out',
      ).choices(['all', 'best']),
    )
    .option(
      '--screen <n>',
      'ask all models n cases, then only those still in question',
      number({ min: 1, whole: true }),
    )
    .option('--order-seed <text>', 'draw the order of the cases from this; default: a new order for each run')
}

export function addEngineOptions(command: Command): Command {
  return command
    .option(
      '--concurrency <n>',
      'concurrent requests per provider, default 5',
      number({ min: 1, max: runLimits.concurrency, whole: true }),
    )
    .option(
      '--requests-per-minute <n>',
      'requests per provider in a minute, default: no limit',
      number({ min: 1, max: providerLimitRange.requestsPerMinute, whole: true }),
    )
    .option(
      '--tokens-per-minute <n>',
      'tokens per provider in a minute, prompts and answers, default: no limit',
      number({ min: 1, max: providerLimitRange.tokensPerMinute, whole: true }),
    )
    .option(
      '--timeout <s>',
      'seconds to the first token, default 120',
      number({ min: 0.1, max: runLimits.timeoutSeconds }),
    )
    .option(
      '--max-time <s>',
      'seconds that a request may take in all, default 600',
      number({ min: 0.1, max: runLimits.maxTimeSeconds }),
    )
    .option('--max-cost <usd>', 'stop before exceeding this cost, judges included', number({ min: 0 }))
    .option('--base-url <url>', 'an OpenAI-compatible endpoint for all models except demo/…')
    .option('--on-workers', 'hand the cells to workers on other machines (benchmaker worker); needs PostgreSQL')
}

export function addGateOptions(command: Command): Command {
  return command
    .option('--fail-under <score>', 'exit 1 if a model scores less (0–100)', number({ min: 0, max: 100 }))
    .option('--baseline <run>', 'exit 1 if a model is significantly worse than in this run')
    .option('--allow-missing <n>', 'how many cells without a score a gate allows', number({ min: 0, whole: true }), 0)
    .addOption(smallestDifferenceOption())
    .option(
      OUT_FLAGS,
      `write results, format by extension: ${listExtensions()}; accepts several files and may be repeated`,
      collectFiles,
    )
}
