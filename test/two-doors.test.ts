import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { composeServer } from '../src/cli/compose-server.ts'
import { runCli } from '../src/cli/testing/run-cli.ts'
import {
  limitsOf,
  parameterOptions,
  rangeOf,
  runOptions,
  writeTyped,
  type Option,
  type Options,
  type RunRequestInput,
  type RunResult,
  type Storage,
  type Suite,
} from '../src/contract/index.ts'
import type { RunEstimate } from '../src/server/runs/estimate.ts'
import type { StartedRun } from '../src/server/runs/run-manager.ts'
import type { SuiteDocument } from '../src/server/suites/suite-documents.ts'
import { startServer, type StartedServer } from '../src/server/testing/started-server.ts'
import { openStorage } from '../src/storage/index.ts'

const REQUESTS = 40
const RESUMED = 4

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-doors-'))
let server: StartedServer

beforeAll(async () => {
  server = await startServer({ compose: composeServer, dataFolder: join(folder, 'data') })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the command line on the server's data. */
const benchmaker = (...args: string[]) => runCli([...args, '--data', server.dataFolder])

const method = fc.constantFrom('exact-match', 'numeric-tolerance', 'boolean', 'llm-judge', 'similar')
const suites: fc.Arbitrary<Suite> = fc
  .record({
    name: fc.uuid(),
    embeddingModel: fc.constant('demo/embedding'),
    systemPrompt: fc.option(fc.constantFrom('Be brief.', 'Antworte knapp. 简短回答。'), { nil: undefined }),
    judgeSystemPrompt: fc.option(fc.constant('Judge the facts only.'), { nil: undefined }),
    variants: fc.constantFrom(
      undefined,
      [{ name: 'plain' }, { name: 'terse', systemPrompt: 'One word.' }],
      [
        { name: 'polite', prompt: 'Please, {{prompt}}' },
        { name: 'fair-only', models: ['demo/fair'], messages: [{ role: 'user' as const, content: '{{prompt}} Now!' }] },
      ],
    ),
    methods: fc.array(method, { minLength: 2, maxLength: 5 }),
  })
  .map(({ methods, ...suite }) => ({
    ...JSON.parse(JSON.stringify(suite)),
    testCases: methods.map((scoringMethod, index) => ({
      id: `case-${index}`,
      prompt: `What is ${index} + ${index * 3}? ${'x'.repeat(index * 7)}`,
      scoringMethod,
      expectedOutput: String(index * 4),
      weight: 1,
      metadata: { category: index % 2 === 0 ? 'even' : 'odd' },
    })),
  }))

type RequestInput = Omit<RunRequestInput, 'suiteId'>

/** Values of options that cannot be drawn from their limits alone. */
const drawn: Record<string, fc.Arbitrary<unknown>> = {
  models: fc.uniqueArray(fc.constantFrom('demo/good', 'demo/fair', 'demo/poor'), { minLength: 1, maxLength: 3 }),
  judgeModelIds: fc.constantFrom(['demo/judge'], ['demo/judge', 'demo/good', 'demo/fair']),
  concurrency: fc.integer({ min: 1, max: 4 }),
  requestsPerMinute: fc.constantFrom(undefined, 50_000),
  tokensPerMinute: fc.constantFrom(undefined, 50_000_000),
  timeoutSeconds: fc.constantFrom(undefined, 30, 1.5),
  maxTimeSeconds: fc.constantFrom(undefined, 30, 1.5),
  filter: fc.constantFrom(undefined, ['even'], ['even', 'case-1']),
  maxTokens: fc.integer({ min: 20, max: 500 }),
  stop: fc.constantFrom(undefined, ['END']),
  responseFormat: fc.constantFrom(undefined, 'json', { type: 'object' }),
  extraBody: fc.constantFrom(undefined, { min_p: 0.1 }),
  headers: fc.constantFrom(undefined, { 'X-Project': 'tests: all' }),
}

/** The budget is drawn by each test, and simulated models have no endpoint. */
const undrawn = new Set([
  'maxCost',
  'modelPrices',
  'endpoint',
  'cache',
  'maxCacheAgeSeconds',
  'batch',
  'informative',
  'until',
  'decide',
  'orderSeed',
])

/** A valid value, or none. */
function drawOption(name: string, option: Option): fc.Arbitrary<unknown> {
  const limits = limitsOf(option)
  const range = rangeOf(option)
  if (drawn[name]) return drawn[name]
  if (undrawn.has(name)) return fc.constant(undefined)
  if (limits instanceof z.ZodEnum) return fc.constantFrom(undefined, ...limits.options)
  if (limits instanceof z.ZodBoolean) return fc.constantFrom(undefined, true)
  if (range?.isWhole) return fc.constantFrom(undefined, 1, 2, 3)
  if (range) return fc.constantFrom(undefined, range.min, (range.max ?? 1) / 2)
  return fc.constantFrom(undefined, 'a')
}

function drawOptions(options: Options): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(Object.entries(options).map(([name, option]) => [name, drawOption(name, option)])),
  )
}

const requests: fc.Arbitrary<RequestInput> = fc
  .record({
    options: drawOptions(runOptions),
    parameters: drawOptions(parameterOptions),
    deciding: fc.constantFrom(
      {},
      { until: 'decided', orderSeed: 'a' },
      { until: 'decided', decide: 'best', screen: 2, orderSeed: 'b' },
      { screen: 1, orderSeed: 'c' },
    ),
  })
  .map(({ options: { screen: _screen, ...options }, parameters, deciding }) => ({
    ...JSON.parse(JSON.stringify({ ...options, parameters })),
    // There is nothing to decide about one model.
    ...(Array.isArray(options['models']) && options['models'].length > 1 && deciding),
  }))

/** The same request as command-line flags. */
function toFlags({ parameters, ...request }: RequestInput): string[] {
  const options: Options = { ...runOptions, ...parameterOptions }
  return Object.entries({ ...request, ...parameters }).flatMap(([name, value]) => {
    const { flag: whole, typedAs } = options[name]!
    const flag = whole.split(' ')[0]!
    if (typedAs !== undefined && value !== undefined) return [flag, writeTyped(typedAs, value)]
    return value === undefined || value === false ? [] : value === true ? [flag] : [flag, String(value)]
  })
}

/** Saves the suite in the web app and as a file for the terminal. */
async function placeSuite(suite: Suite): Promise<{ suiteId: string; file: string }> {
  const { id } = await server.send<SuiteDocument>('POST', '/api/suites', { suite })
  const file = join(folder, `${suite.name}.json`)
  writeFileSync(file, JSON.stringify(suite))
  return { suiteId: id, file }
}

async function loadSeries(runId: string, storage: Storage): Promise<RunResult[]> {
  const run = (await storage.loadRun(runId))!
  const ids = run.seriesId === undefined ? [runId] : await storage.runsOfSeries(run.seriesId)
  return Promise.all(ids.map(async (id) => (await storage.loadRun(id))!))
}

/** The outcome of runs without ids and times. */
function describeRuns(runs: readonly RunResult[]) {
  return runs.map(({ status, models, judgeModel, results }) => ({
    status,
    models,
    judgeModel,
    results: results
      .map(({ testCaseId, modelId, response, score, unscored }) => ({ testCaseId, modelId, response, score, unscored }))
      .toSorted((a, b) => `${a.testCaseId} ${a.modelId}`.localeCompare(`${b.testCaseId} ${b.modelId}`)),
  }))
}

function withoutBudget({ request }: RunResult) {
  const { maxCost: _budget, suiteId: _id, suiteVersion: _version, ...rest } = request!
  return rest
}

describe('terminal and web app', () => {
  it('estimate the same request equally, to the token and the cent', async () => {
    await fc.assert(
      fc.asyncProperty(suites, requests, fc.constantFrom(undefined, 1e-6, 0.001, 100), async (suite, rest, maxCost) => {
        const request: RequestInput = { ...rest, ...(maxCost !== undefined && { maxCost }) }
        const { suiteId, file } = await placeSuite(suite)
        const shown = await server.send<RunEstimate>('POST', '/api/estimate', { suiteId, ...request })
        const { exitCode, out, err } = await benchmaker('run', file, '--dry-run', '--json', ...toFlags(request))
        expect([exitCode, err]).toEqual([0, expect.any(String)])
        const { nothingSent, firstRequest: _first, ...printed } = JSON.parse(out)
        const { problems, runsNeeded: _needed, ...figures } = shown
        // A dry run still shows the estimate of a budget that the run refuses.
        const isTooSmall = (problem: string) =>
          maxCost !== undefined && problem.startsWith('One request can cost up to')
        expect([nothingSent, problems.filter((problem) => !isTooSmall(problem))]).toEqual([true, []])
        expect(printed).toEqual(figures)
        expect(printed.cost).toBeGreaterThan(0)
        expect(printed.budget?.outlook).toBe(
          maxCost === undefined
            ? undefined
            : printed.cost <= maxCost
              ? 'enough'
              : printed.largestRequest > maxCost
                ? 'too-small'
                : 'may-stop',
        )
      }),
      { numRuns: REQUESTS },
    )
  })

  it('refuse the same request with the same messages', async () => {
    const suite: Suite = {
      name: 'refused',
      testCases: [{ id: 'a', prompt: '?', scoringMethod: 'llm-judge', weight: 1 }],
    }
    const { suiteId, file } = await placeSuite(suite)
    const request = { models: ['anthropic/claude', 'demo/good'] }
    const { problems } = await server.send<RunEstimate>('POST', '/api/estimate', { suiteId, ...request })
    const { exitCode, err } = await benchmaker('run', file, ...toFlags(request))
    expect([exitCode, err]).toEqual([2, `error: ${problems.join('\n').replaceAll('\n', '\n  ')}\n`])
    expect(problems).toHaveLength(2)
  })

  it('refuse an unknown simulated model, and store nothing', async () => {
    const { suiteId, file } = await placeSuite({
      name: 'unknown',
      testCases: [{ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: '!', weight: 1 }],
    })
    const request = { models: ['demo/good', 'demo/nope'] }
    const listed = () => server.send<{ runs: unknown[] }>('GET', '/api/runs')
    const before = await listed()
    const { problems } = await server.send<RunEstimate>('POST', '/api/estimate', { suiteId, ...request })
    expect(problems).toEqual([
      'demo/nope: no such model\nThe simulated models are demo/good, demo/fair, demo/poor, demo/judge, demo/coder.',
    ])
    expect((await server.try('POST', '/api/runs', { suiteId, ...request })).status).toBe(422)
    const { exitCode, err } = await benchmaker('run', file, '--models', request.models.join(','))
    expect([exitCode, err]).toEqual([2, `error: ${problems[0]!.replace('\n', '\n  ')}\n`])
    expect(await listed()).toEqual(before)
  })

  it('finish each other’s runs as if they had started them', async () => {
    const storage = await openStorage({ file: join(server.dataFolder, 'benchmaker.db') })
    const latest = async () => (await storage.findRuns('latest'))[0]!
    const begin = {
      terminal: async (file: string, request: RequestInput) => {
        await benchmaker('run', file, ...toFlags(request))
        return latest()
      },
      web: async (suiteId: string, request: RequestInput) => {
        const { runId } = await server.send<StartedRun>('POST', '/api/runs', { suiteId, ...request })
        await server.watch(`/api/runs/${runId}/events`).rest()
        return latest()
      },
    }
    const resume = {
      terminal: async (runId: string) => void (await benchmaker('resume', runId, '--max-cost', '1000')),
      web: async (runId: string) => {
        const { runId: current } = await server.send<StartedRun>('POST', `/api/runs/${runId}/resume`, { maxCost: 1000 })
        await server.watch(`/api/runs/${current}/events`).rest()
      },
    }
    const judged: fc.Arbitrary<Suite> = suites.filter(({ testCases }) => testCases.length > 2)
    await fc.assert(
      fc.asyncProperty(judged, requests, async (suite, { filter: _all, limit: _every, ...given }) => {
        // The only simulated judge whose grade does not depend on the random marks around the answer.
        const request = { ...given, judgeModelIds: ['demo/judge'] }
        const { suiteId, file } = await placeSuite(suite)
        const whole = await loadSeries(await begin.terminal(file, request), storage)
        const spent = await storage.listRuns({ ids: whole.map(({ id }) => id) })
        // Too little for the whole series.
        const maxCost = spent.reduce((sum, { cost }) => sum + cost, 0) * 0.7
        const tight = { ...request, maxCost, concurrency: 1 }
        const { problems } = await server.send<RunEstimate>('POST', '/api/estimate', { suiteId, ...tight })
        if (problems.length > 0) {
          const { exitCode, err } = await benchmaker('run', file, ...toFlags(tight))
          expect([exitCode, err]).toEqual([2, expect.stringContaining(problems[0]!)])
          return
        }
        for (const [door, other] of [
          ['terminal', 'web'],
          ['web', 'terminal'],
        ] as const) {
          const runId = await begin[door](door === 'web' ? suiteId : file, tight)
          const stopped = await loadSeries(runId, storage)
          expect([door, stopped.at(-1)?.status, stopped.at(-1)?.stopReason]).toEqual([door, 'cancelled', 'budget'])
          await resume[other](runId)
          const finished = await loadSeries(runId, storage)
          expect(describeRuns(finished)).toEqual(describeRuns(whole))
          for (const run of finished)
            expect({ ...withoutBudget(run), concurrency: 0 }).toEqual({ ...withoutBudget(whole[0]!), concurrency: 0 })
        }
      }),
      { numRuns: RESUMED },
    )
    await storage.close()
  })
})
