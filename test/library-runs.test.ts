import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  auditJudge,
  auditNames,
  auditScoring,
  buildReport,
  calibrateJudge,
  calibrationSets,
  createClient,
  createDemoClient,
  defaultCalibrationSamples,
  executeRun,
  InputError,
  interpretCalibrationResult,
  judgePresets,
  judgeTrajectory,
  openStorage,
  parseSuite,
  readTrajectories,
  scoreCodeArena,
  scoreLLMJudge,
  scorePairwise,
  scoreRubric,
  writeReport,
  type ModelRequest,
} from '../src/index.ts'
import { startModelServer } from './fakes/model-server.ts'

const capitals = {
  name: 'Capitals',
  testCases: [{ id: 'fr', prompt: 'Capital of France?', scoringMethod: 'exact-match', expectedOutput: 'Paris' }],
}

describe('the scorer in doubt', () => {
  const question = (id: string, expectedOutput: string) => ({
    id,
    prompt: `Capital of ${id}?`,
    scoringMethod: 'exact-match',
    partial: false,
    expectedOutput,
  })
  const suite = {
    name: 'Capitals',
    testCases: [question('France', 'Paris'), question('Italy', 'Rome'), question('Spain', 'Madrid')],
  }
  const answers = new Map([
    ['Capital of France?', 'The capital of France is Paris. It lies on the Seine.'],
    ['Capital of Italy?', 'Rome'],
    ['Capital of Spain?', 'It is not Madrid, it is Seville.'],
  ])

  it('the report counts failures that contain the expected answer, with both means, as auditScoring does', async () => {
    const { client } = minimalClient((prompt) => ({ response: answers.get(prompt) }))
    const run = await executeRun({ suite, models: ['m'], client })
    const audit = auditScoring(run)
    expect(audit).toMatchObject({ suspects: [{ testCaseId: 'France' }], strictMean: 1 / 3, lenientMean: 2 / 3 })
    const report = buildReport(run)
    expect(report.rows[0]!.readings).toEqual({ scored: 3, passed: 1, looser: 1, stricter: 0 })
    const sentence = '1 failure contains the expected answer. Passed (read loosely): m 33.3 % (66.7 %).'
    expect(report.verdictCard.caveats).toContainEqual({ kind: 'scoring', text: sentence })
    for (const format of ['markdown', 'html'])
      expect([...writeReport(report, { format })].join('').split(sentence)).toHaveLength(2)
  })
})

/** A minimal hand-written client. */
function minimalClient(answer: (prompt: string) => unknown) {
  const prompts: string[] = []
  const client = {
    async complete({ messages }: { messages: { content: unknown }[] }): Promise<never> {
      const prompt = String(messages.at(-1)?.content)
      prompts.push(prompt)
      return answer(prompt) as never
    },
  }
  return { client, prompts }
}

describe('a suite passed to executeRun', () => {
  it('has its variables and defaults filled in like one from a file', async () => {
    const { client, prompts } = minimalClient(() => ({ response: 'Bob' }))
    const suite = {
      name: 'Names',
      testCases: [
        { id: 'a', prompt: 'hi {{x}}', vars: { x: 'Bob' }, scoringMethod: 'exact-match', expectedOutput: '{{x}}' },
      ],
    }
    const run = await executeRun({ suite, models: ['m'], client })
    expect(prompts).toEqual(['hi Bob'])
    expect(run.results[0]?.score?.score).toBe(1)
    expect(run.testSuiteSnapshot?.testCases[0]).toMatchObject({ prompt: 'hi Bob', weight: 1 })
  })
  it('is not filled in again if it was loaded before', async () => {
    const { client, prompts } = minimalClient(() => ({ response: 'x' }))
    const { suite } = parseSuite(
      JSON.stringify({ name: 'Braces', testCases: [{ ...capitals.testCases[0], prompt: String.raw`say \{{x}}` }] }),
      'braces.json',
    )
    await executeRun({ suite: { ...suite, name: 'Again' }, models: ['m'], client })
    expect(prompts).toEqual(['say {{x}}'])
  })
  it.each([
    [{ expectedOutput: undefined }, /test case "fr".*needs an expected output/],
    [{ scoringMethod: 'regex-match', expectedOutput: '(' }, /test case "fr".*Unterminated group/],
    [{ weight: -1 }, /test case "fr".*weight.*greater than 0/],
    [{ prompt: 'hi {{x}}' }, /test case "fr".*\{\{x\}\} has no value/],
    [{ prompt: 7 }, /test case "fr".*prompt/],
  ])('%j is refused before anything is sent or written', async (changes, message) => {
    const { client, prompts } = minimalClient(() => ({ response: 'Paris' }))
    const storage = await openStorage({ file: ':memory:' })
    const suite = { ...capitals, testCases: [{ ...capitals.testCases[0]!, ...changes }] }
    const run = executeRun({ suite: suite as never, models: ['m'], client, storage })
    await expect(run).rejects.toThrow(message)
    await expect(run).rejects.toBeInstanceOf(InputError)
    expect([prompts.length, await storage.countRuns()]).toEqual([0, 0])
    await storage.close()
  })
  it.each([
    [{ temperature: 9 }, /parameters\.temperature.*2/],
    [{ temprature: 1 }, /parameters\.temprature.*temperature, topP/],
  ])('the parameters %j are refused', async (parameters, message) => {
    const { client, prompts } = minimalClient(() => ({ response: 'Paris' }))
    await expect(
      executeRun({ suite: capitals, models: ['m'], client, parameters: parameters as object }),
    ).rejects.toThrow(message)
    expect(prompts).toHaveLength(0)
  })
})

it('parameters may be left out of a request', async () => {
  const request: Omit<ModelRequest, 'parameters'> = {
    modelId: 'demo/good',
    messages: [{ role: 'user', content: 'Hello?' }],
  }
  const server = await startModelServer()
  const endpoint = createClient({ baseUrl: server.baseUrl })
  for (const client of [endpoint, createDemoClient()])
    expect((await client.complete(request as ModelRequest)).outcome).toBe('ok')
  expect(server.requests[0]?.body).not.toHaveProperty('temperature')
  await endpoint.close()
  await server.close()
})

describe('a client written by hand', () => {
  it('may leave out outcome and latency: they are filled in', async () => {
    const { client } = minimalClient((prompt) => ({ response: prompt.includes('France') ? 'Paris' : '' }))
    const suite = {
      ...capitals,
      testCases: [...capitals.testCases, { ...capitals.testCases[0]!, id: 'it', prompt: 'Capital of Italy?' }],
    }
    const run = await executeRun({ suite, models: ['m'], client })
    expect(run.results).toMatchObject([
      { outcome: 'ok', response: 'Paris', score: { score: 1 } },
      { outcome: 'empty', score: { score: 0 } },
    ])
    expect(run.results[0]?.latencyMs).toBeGreaterThanOrEqual(0)
    expect(run.versions).toMatchObject({ node: process.versions.node, benchmaker: expect.stringMatching(/^\d/) })
  })
  it.each([
    [undefined, /returned undefined/],
    [{ text: 'Paris' }, /without a response/],
    [{ response: 7 }, /response is a number/],
    [{ response: 'Paris', outcome: 'fine' }, /outcome is "fine"/],
  ])('%j is not an answer: the cell ends in an error that says so, without a retry', async (answer, message) => {
    const { client, prompts } = minimalClient(() => answer)
    const run = await executeRun({ suite: capitals, models: ['m'], client })
    expect(run.results[0]).toMatchObject({ outcome: 'error', error: expect.stringMatching(message) })
    expect(prompts).toHaveLength(1)
  })
  it('that ignores the signal does not delay cancellation: the run ends, the cell stays open', async () => {
    const controller = new AbortController()
    const client = { complete: () => new Promise<never>(() => setImmediate(() => controller.abort())) }
    const run = await executeRun({ suite: capitals, models: ['m'], client, signal: controller.signal })
    expect(run.status).toBe('cancelled')
    expect(run.results.filter(({ response }) => response !== undefined)).toEqual([])
  })
  it('is not asked to judge if the signal is already aborted', async () => {
    const { client, prompts } = minimalClient(() => ({ response: '{"score": 7, "reasoning": "fine"}' }))
    const judged = { prompt: 'Why?', response: 'Because.', client, judgeModelId: 'judge' }
    expect((await scoreLLMJudge(judged)).score).toBe(0.7)
    await expect(scoreLLMJudge({ ...judged, signal: AbortSignal.abort() })).rejects.toThrow(/cancelled/)
    expect(prompts).toHaveLength(1)
  })
})

it('judgeTrajectory shows a judge the whole run, without what is secret in it', async () => {
  const { client, prompts } = minimalClient(() => ({ response: '{"score": 7, "reasoning": "fine"}' }))
  const folder = await mkdtemp(join(tmpdir(), 'judged-'))
  const file = join(folder, 'run.json')
  const text = (role: string, content: string) => ({ role, content })
  await writeFile(file, JSON.stringify([text('user', 'Write to mia@example.org'), text('assistant', 'Sent.')]))
  const [trajectory] = await readTrajectories(file)
  const key = { calls: [{ name: 'send_mail', arguments: {} }] }
  const judged = await judgeTrajectory(trajectory!, { key, client, judgeModelId: 'judge' })
  expect(judged.score).toBe(0.7)
  expect(prompts.join('\n')).toMatch(/Agent: Sent\./)
  expect(prompts.join('\n')).toMatch(/Expected call: send_mail/)
  expect(prompts.join('\n')).not.toMatch(/mia@/)
  await rm(folder, { recursive: true })
})

describe('auditJudge', () => {
  const client = createDemoClient()

  it('finds what sways a judge, on the built-in answers', async () => {
    const { findings, status } = await auditJudge({ client, judgeModelId: 'demo/judge-first' })
    expect(status).toBe('completed')
    expect(findings.map(({ audit }) => audit)).toEqual([...auditNames])
    expect(findings.filter((finding) => finding.status === 'found').map(({ audit }) => audit)).toEqual(['position'])
  })

  it('takes own answers, or the samples of a calibration, and a client written by hand', async () => {
    const answers = Array.from({ length: 10 }, (_, index) => ({
      prompt: `What is ${index} + 1?`,
      response: `${index + 1}`,
      expectedOutput: `${index + 1}`,
    }))
    const only = ['verbosity'] as const
    const { client: wordy } = minimalClient((prompt) => ({
      response: JSON.stringify({ score: prompt.length > 400 ? 6 : 5 }),
    }))
    const [own] = (await auditJudge({ client: wordy, judgeModelId: 'mine', answers, only })).findings
    expect(own).toMatchObject({ status: 'found', planned: 10 })
    const [sampled] = (
      await auditJudge({ client, judgeModelId: 'demo/judge', samples: defaultCalibrationSamples, only })
    ).findings
    // One of the eight is empty, and cannot be padded.
    expect(sampled).toMatchObject({ status: 'not-found', planned: 7 })
  })

  it('needs the price for a budget', async () => {
    const settings = { client, judgeModelId: 'demo/judge', only: ['position'], maxCost: 0.01 } as const
    await expect(auditJudge(settings)).rejects.toThrow('the price of demo/judge is unknown')
    const prices = new Map([['demo/judge', { prompt: 1e-6, completion: 4e-6 }]])
    const { cost, findings } = await auditJudge({ ...settings, prices })
    expect(cost).toBeLessThanOrEqual(0.01)
    expect(findings[0]).toMatchObject({ status: 'not-tested' })
  })
})

describe('a judge', () => {
  const demo = createDemoClient()
  const answer = { prompt: 'Why?', response: 'Because.' }
  it.each<[string, (judge: object) => Promise<unknown>]>([
    ['llm-judge', (judge) => scoreLLMJudge({ ...answer, ...judge } as never)],
    ['rubric', (judge) => scoreRubric({ ...answer, criteria: ['It is right.'], ...judge } as never)],
    [
      'pairwise',
      (judge) =>
        scorePairwise({
          prompt: 'Why?',
          answers: ['a', 'b'].map((modelId) => ({ modelId, response: modelId })),
          ...judge,
        } as never),
    ],
    ['code-arena', (judge) => scoreCodeArena({ prompt: 'a page', code: '<p>', ...judge } as never)],
  ])('of %s is required, and so is its client', async (method, score) => {
    const noJudge = score({ client: demo })
    await expect(noJudge).rejects.toThrow(InputError)
    await expect(noJudge).rejects.toThrow(`${method} needs a judge model, but none is set`)
    const noClient = score({ judgeModelId: 'demo/judge' })
    await expect(noClient).rejects.toThrow(InputError)
    await expect(noClient).rejects.toThrow(`${method} needs a judge model, and there is no client for it`)
  })

  it('is calibrated on a set by its name or its samples, with intervals and how sure the rating is', async () => {
    const client = createDemoClient()
    const facts = calibrationSets.find(({ name }) => name === 'facts')!
    const byName = await calibrateJudge(client, 'demo/judge', 'facts')
    const bySamples = await calibrateJudge(client, 'demo/judge', facts.samples)
    expect(byName.samples).toEqual(bySamples.samples)
    expect(byName).toMatchObject({
      promptVersion: 'llm-judge/1',
      intervals: { bias: { low: expect.any(Number) } },
      certainty: { isSure: expect.any(Boolean) },
    })
    expect(interpretCalibrationResult(byName).certainty).toContain(`on these ${facts.samples.length}`)
    const { name: preset } = judgePresets.find(({ needsContext }) => needsContext)!
    const withPreset = await calibrateJudge(client, 'demo/judge', undefined, { preset })
    expect(withPreset.promptVersion).toBe('llm-judge/1+faithfulness/1')
    expect((await calibrateJudge(client, 'demo/judge')).samples).toHaveLength(8)
    await expect(calibrateJudge(client, 'demo/judge', 'recipes')).rejects.toThrow(/use default, facts, reasoning/)
  })

  it.each<[string, unknown, string]>([
    [
      'options in the place of samples',
      { preset: 'safety' },
      'samples must be a list or the name of a built-in set; a preset is the fourth argument',
    ],
    ['a sample without a score', [{ id: 'a', prompt: '?', response: '!' }], 'samples.0.expectedScore: '],
    [
      'a score in points',
      [{ id: 'a', prompt: '?', response: '!', expectedScore: 80 }],
      'samples.0.expectedScore: is 80: here scores are from 0 to 1',
    ],
  ])('is not calibrated on %s', async (_, samples, message) => {
    const refusal = calibrateJudge(demo, 'demo/judge', samples as never)
    await expect(refusal).rejects.toThrow(InputError)
    await expect(refusal).rejects.toThrow(message)
  })

  it('is doubted in the report of its run unless its calibration is given', async () => {
    const suite = { name: 'Why', testCases: [{ id: 'a', prompt: 'Why?', scoringMethod: 'llm-judge', preset: 'style' }] }
    const run = await executeRun({
      suite,
      models: ['demo/good'],
      client: createDemoClient(),
      judgeModelId: 'demo/judge',
    })
    expect(run.versions).toMatchObject({ judgePrompt: 'llm-judge/1+style/1' })
    expect(buildReport(run).judgeNotes).toEqual([])
    expect(buildReport(run, { calibrations: [] }).judgeNotes).toMatchObject([
      { judgeModelId: 'demo/judge', reason: 'not-calibrated', preset: 'style' },
    ])
    const standing = { judgeModelId: 'demo/judge', rating: 'good' as const, promptVersion: 'llm-judge/1+style/1' }
    expect(buildReport(run, { calibrations: [standing] }).judgeNotes).toEqual([])
  })
})
