import { z } from 'zod'
import { option, wholeNumber } from './option.ts'
import { providerLimitsSchema } from '../processes/provider-limits.ts'
import { readNames } from '../suites/case-names.ts'
import { projectSchema } from '../team/access.ts'

/** Upper limits of a run, the same in the terminal, the web app and the library. */
export const runLimits = {
  models: 200,
  judges: 20,
  /** Of a run that decides: every pair is tested after every case. */
  decidedModels: 50,
  repeat: 1000,
  concurrency: 1000,
  timeoutSeconds: 3600,
  maxTimeSeconds: 86_400,
  /** US dollars; as for a month on a team server. */
  maxCost: 9_000_000,
} as const

/** Concurrent requests to one provider, unless the run request sets its own limit. */
export const defaultConcurrency = 5

/** The longest that a request may take in all, unless the run request sets its own limit. */
export const defaultTimeoutSeconds = 120
export const defaultMaxTimeSeconds = 600

export const modelIdSchema = z.string().min(1).max(300)

const seconds = (max: number) => z.number().positive('must be more than 0').max(max, `must be at most ${max}`)

/** US dollars. */
export const maxCostSchema = z
  .number()
  .positive('must be more than 0 dollars')
  .max(runLimits.maxCost, 'must be at most 9,000,000 dollars')

/** US dollars per million tokens. */
const dollars = z.number('must be a number').min(0, 'must be at least 0').max(1_000_000, 'must be at most 1,000,000')

const modelPricesSchema = z.record(
  modelIdSchema,
  z.strictObject({ input: dollars, output: dollars, cachedInput: dollars.optional() }),
)

/** A difference that does not matter, in points. */
export const marginSchema = z.number().min(0.1, 'must be at least 0.1').max(100, 'must be at most 100')

/** One or more names, as a list or with commas; test cases that have any of them are selected. */
const filterSchema = z
  .union([z.string().transform((names) => readNames(names)), z.array(z.string())])
  .transform((names) => names.flatMap((name) => name.trim() || []))
  .transform((names) => (names.length === 0 ? undefined : names))

/** A resume may change these; the change is stored and applies to later resumes too. */
export const changeableOptions = {
  combineJudges: option(z.enum(['mean', 'median']).default('mean'), {
    label: 'Score of the panel',
    help: 'how to combine several judges',
    hint: '',
    group: 'Judges',
    flag: '--combine <how>',
    choices: { mean: 'Mean of the judges', median: 'Median of the judges' },
  }),
  concurrency: option(wholeNumber(runLimits.concurrency).default(defaultConcurrency), {
    label: 'Concurrency',
    help: 'concurrent requests per provider',
    flag: '--concurrency <n>',
    group: 'Limits',
  }),
  maxCost: option(maxCostSchema.optional(), {
    label: 'Budget',
    help: 'stop before this is exceeded, judges too',
    flag: '--max-cost <usd>',
    unit: 'USD',
    group: 'Limits',
    unset: 'no limit',
  }),
  modelPrices: option(modelPricesSchema.optional(), {
    label: 'Prices',
    help: 'US dollars per million tokens: MODEL=in,out[,cached]',
    hint: 'MODEL=in,out in US dollars per million tokens, one in a line; instead of what is known',
    flag: '--price <model=in,out>',
    typedAs: 'prices',
    group: 'Limits',
  }),
  requestsPerMinute: option(providerLimitsSchema.shape.requestsPerMinute, {
    label: 'Requests per minute',
    help: 'requests per provider in a minute',
    hint: 'Of this run, per provider',
    flag: '--requests-per-minute <n>',
    group: 'Limits',
    unset: 'no limit',
  }),
  tokensPerMinute: option(providerLimitsSchema.shape.tokensPerMinute, {
    label: 'Tokens per minute',
    help: 'tokens per provider in a minute',
    hint: 'Of this run, per provider, prompts and answers',
    flag: '--tokens-per-minute <n>',
    group: 'Limits',
    unset: 'no limit',
  }),
  timeoutSeconds: option(seconds(runLimits.timeoutSeconds).optional(), {
    label: 'Timeout',
    help: 'seconds to the first token',
    hint: 'Until the first token',
    flag: '--timeout <s>',
    unit: 'seconds',
    group: 'Limits',
    unset: defaultTimeoutSeconds,
  }),
  maxTimeSeconds: option(seconds(runLimits.maxTimeSeconds).default(defaultMaxTimeSeconds), {
    label: 'Max time',
    help: 'seconds for a whole answer',
    hint: 'Until the last token',
    flag: '--max-time <s>',
    unit: 'seconds',
    group: 'Limits',
  }),
  endpoint: option(z.string().optional(), {
    label: 'Endpoint',
    help: 'an OpenAI-compatible endpoint, except for demo/…',
    flag: '--base-url <url>',
  }),
}

/** The options of every run, of a suite or of the Code Arena. */
export const commonOptions = {
  models: option(
    z
      .array(modelIdSchema)
      .min(1, 'no model chosen; name at least one')
      .max(runLimits.models, `at most ${runLimits.models} models can be compared at once`),
    { label: 'Models', help: 'models to compare', flag: '--models <a,b>', unset: 'the three simulated ones' },
  ),
  judgeModelIds: option(
    z.array(modelIdSchema).max(runLimits.judges, `a panel has at most ${runLimits.judges} judges`).default([]),
    { label: 'Judge', help: 'judge model; several form a panel', flag: '--judge <model,…>' },
  ),
  repeat: option(wholeNumber(runLimits.repeat).default(1), {
    label: 'Runs',
    help: 'run it n times as a series; with a judge 3 to 5',
    flag: '--repeat <n>',
  }),
  project: option(projectSchema.optional(), {
    label: 'Project',
    help: 'the project that pays for the run',
    hint: 'Pays for the run',
    flag: '--project <name>',
    group: 'Limits',
    unset: 'none',
    isForTeams: true,
  }),
  cache: option(z.boolean().default(false), {
    label: 'Cache',
    help: 'reuse answers to identical requests of earlier runs',
    flag: '--cache',
  }),
  maxCacheAgeSeconds: option(z.number().positive('must be more than 0').optional(), {
    label: 'Cache age',
    help: 'reuse answers up to this age, such as 12h or 7d',
    flag: '--max-cache-age <age>',
    unit: 'seconds',
  }),
  ...changeableOptions,
}

/** The options of the Code Arena on top of those. */
export const arenaOptions = {
  isQuickJudge: option(z.boolean().default(false), {
    label: 'Quick judge (code only)',
    help: 'judge the code alone: faster, blind to the look',
    flag: '--quick-judge',
  }),
}

/** The options of suites on top of the common ones. */
export const suiteOptions = {
  filter: option(filterSchema.optional(), {
    label: 'Filter cases',
    help: 'only these cases, by tag, category or id',
    hint: 'Tags, categories or ids, with commas',
    flag: '--filter <tag|id,…>',
    group: 'Cases',
  }),
  limit: option(wholeNumber().optional(), {
    label: 'Maximum cases',
    help: 'only the first n cases',
    flag: '--limit <n>',
    unset: 'all',
    group: 'Cases',
  }),
  sameWithin: option(marginSchema.optional(), {
    label: 'Same within (points)',
    help: 'call models the same within D points',
    hint: 'A difference that does not matter',
    flag: '--same-within <d>',
    group: 'Cases',
    unset: "the suite's",
  }),
  userModel: option(modelIdSchema.optional(), {
    label: 'User',
    help: 'plays the user in conversations',
    hint: 'Plays the user in the conversations',
    flag: '--user-model <model>',
    group: 'Cases',
    unset: "the suite's",
    isForUsers: true,
  }),
  until: option(z.enum(['decided']).optional(), {
    label: 'Stop when decided',
    help: 'stop as soon as it is decided how models compare',
    hint: 'Runs the cases in a random order and stops as soon as it is certain how the models compare.',
    flag: '--until <decided>',
    group: 'Reduce cost',
  }),
  decide: option(z.enum(['all', 'best', 'good-enough']).optional(), {
    label: 'Decide',
    help: 'what --until decides',
    hint: 'With only the best, or the good enough, the others drop out',
    flag: '--decide <what>',
    group: 'Reduce cost',
    choices: { all: 'Every pair', best: 'Only the best', 'good-enough': 'Which are good enough' },
    onlyWith: 'until',
  }),
  screen: option(wholeNumber().optional(), {
    label: 'Screening round',
    help: 'n cases for all, then drop clear losers',
    hint: 'Cases; then drop clear losers',
    flag: '--screen <n>',
    group: 'Reduce cost',
    unset: 'off',
  }),
  informative: option(wholeNumber().optional(), {
    label: 'Only informative cases',
    help: 'run n cases and estimate the score of all',
    hint: 'Cases drawn at random, at least 30; the score of all is estimated with what at least 5 other models scored in stored runs',
    flag: '--informative <n>',
    group: 'Reduce cost',
    unset: 'all cases',
  }),
  batch: option(z.boolean().optional(), {
    label: 'Use the batch API',
    help: 'use the batch API: half the price, up to a day',
    hint: 'Half the price at OpenAI and Anthropic; the answers can take up to a day. The run waits, and can be stopped and resumed.',
    flag: '--batch',
    group: 'Reduce cost',
  }),
  orderSeed: option(z.string().min(1).max(200).optional(), {
    label: 'Order seed',
    help: 'draw the order of the cases from this',
    flag: '--order-seed <text>',
    unset: 'a new one',
  }),
}

/** Every option of a run of a suite. */
export const runOptions = { ...commonOptions, ...suiteOptions }
