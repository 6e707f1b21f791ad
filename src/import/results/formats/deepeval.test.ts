import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeMetricChoice, isResultsFile, readResults, type ResultsChoices } from '../read-results.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })))
})

async function write(content: unknown, name = '.latest_test_run.json') {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-deepeval-'))
  folders.push(folder)
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function read(content: unknown, choices: ResultsChoices = {}) {
  const path = await write(content)
  return { isResults: await isResultsFile(path), ...(await readResults(path, { now: 0, ...choices })) }
}

/** As DeepEval 3 writes it. */
const metric = (name: string, score: unknown, others = {}) => ({
  name,
  threshold: 0.5,
  success: typeof score === 'number' && score >= 0.5,
  score,
  reason: `because ${name}`,
  strictMode: false,
  evaluationModel: 'gpt-4.1',
  ...others,
})
const testCase = (order: number, metricsData: unknown[], others = {}) => ({
  name: `test_case_${order}`,
  input: `Question ${order}`,
  actualOutput: `Answer ${order}`,
  expectedOutput: `Key ${order}`,
  success: true,
  metricsData,
  completionTime: 1.5,
  order,
  ...others,
})
const run = (testCases: unknown[], others = {}) => ({
  testRunData: {
    testFile: 'test_bot.py',
    testCases,
    conversationalTestCases: [],
    metricsScores: [],
    testPassed: 1,
    ...others,
  },
})

it('reads the last test run: a case each, a metric each, and the model named by its hyperparameters', async () => {
  const results = await read(
    run(
      [
        testCase(0, [metric('Answer Relevancy', 1), metric('Faithfulness', 0.25)]),
        testCase(1, [metric('Answer Relevancy', 0.5), metric('Faithfulness', 1)]),
      ],
      { hyperparameters: { model: 'gpt-4o', temperature: '0' } },
    ),
    { metric: 'Faithfulness' },
  )
  expect(results).toMatchObject({
    isResults: true,
    tool: 'DeepEval',
    task: 'test_bot.py',
    models: ['gpt-4o'],
    metric: 'Faithfulness',
    metrics: [{ name: 'Answer Relevancy' }, { name: 'Faithfulness' }],
    scored: 2,
    warnings: [],
  })
  const [first, second] = results.runs[0]!.results
  expect([first, second]).toMatchObject([
    { testCaseId: 'test_case_0', response: 'Answer 0', latencyMs: 1500, score: { score: 0.25, passed: false } },
    { testCaseId: 'test_case_1', score: { score: 1, passed: true } },
  ])
  expect(first!.score!.notes).toContain('Faithfulness: because Faithfulness')
  expect(results.runs[0]!.testSuiteSnapshot!.testCases[0]).toMatchObject({
    prompt: 'Question 0',
    expectedOutput: 'Key 0',
  })
})
it('says which of several metrics counts', async () => {
  const results = await read(run([testCase(0, [metric('A', 1), metric('B', 0)])]))
  expect(describeMetricChoice(results)).toMatch(/A counts, of A, B; --metric chooses another/)
})
it('a metric that failed is unscored, never the 0 beside its error', async () => {
  const { scored, unscored, runs } = await read(
    run([
      testCase(0, [metric('A', 0, { error: 'timed out', success: false })]),
      testCase(1, [metric('A', 1)]),
      testCase(2, [metric('A', null, { skipped: true })]),
      testCase(3, []),
      testCase(4, [metric('A', 'NaN')]),
    ]),
  )
  expect({ scored, unscored }).toEqual({ scored: 1, unscored: 4 })
  expect(runs[0]!.results[0]!.unscored).toMatchObject({ message: 'A: timed out' })
})
it('NaN is no score', async () => {
  const content = JSON.stringify(run([testCase(0, [metric('A', 1)]), testCase(1, [metric('A', 0.987)])])).replace(
    '0.987',
    'NaN',
  )
  expect(await read(content)).toMatchObject({ scored: 1, unscored: 1 })
})
it('a metric that passes below its threshold counts down', async () => {
  const { runs } = await read(
    run([
      testCase(0, [metric('Anger', 0.1, { success: true })]),
      testCase(1, [metric('Anger', 0.9, { success: false })]),
    ]),
  )
  expect(runs[0]!.results.map(({ score }) => score?.score)).toEqual([0.9, expect.closeTo(0.1)])
})
it('reads conversations, snake case, and names that many cases share', async () => {
  const turns = [
    { role: 'user', content: 'Hi', order: 0 },
    { role: 'assistant', content: 'Hello', order: 1 },
    { role: 'user', content: 'Bye', order: 2 },
    { role: 'assistant', content: 'See you', order: 3 },
  ]
  const conversations = await read({
    testRunData: {
      testCases: [],
      conversationalTestCases: [{ name: 'talk', turns, expectedOutcome: 'Polite', metricsData: [metric('A', 1)] }],
    },
  })
  expect(conversations.runs[0]!.results[0]).toMatchObject({ response: 'See you' })
  expect(conversations.runs[0]!.testSuiteSnapshot!.testCases[0]).toMatchObject({
    messages: [{}, {}, { content: 'Bye' }],
  })
  const snake = await read({
    test_cases: [1, 2].map((number) => ({
      name: 'test_bot',
      input: `Q${number}`,
      actual_output: 'A',
      metrics_data: [metric('A', 1)],
    })),
    metrics_scores: [],
  })
  expect(snake.runs[0]!.results.map(({ testCaseId }) => testCaseId)).toEqual(['test_bot-1', 'test_bot-2'])
  expect(snake.warnings).toEqual([expect.stringContaining('do not name their model, so it is called latest_test_run')])
})
it.each([
  [{ testRunLink: 'https://app.confident-ai.com/x' }, /only the address of a test run.*Confident AI/],
  [run([]), /without test cases/],
  [JSON.stringify(run([testCase(0, [metric('A', 1)])])).slice(0, -40), /is cut off/],
])('refuses %j', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message)
})

it('counts whether a test case passed, where each has metrics of its own', async () => {
  const results = await read(
    run([
      testCase(0, [metric('Conduct A [GEval]', 0.5)]),
      testCase(1, [metric('Conduct B [GEval]', 1), metric('Tone', 0.25)]),
      testCase(2, [metric('Conduct C [GEval]', null, { success: false, error: 'timeout' })]),
    ]),
  )
  expect(results).toMatchObject({ metric: 'passed', scored: 2, unscored: 1 })
  expect(results.runs[0]!.results.map(({ score }) => score?.score)).toEqual([1, 0, undefined])
  expect((await read(run([testCase(0, [metric('Tone', 1)]), testCase(1, [])]))).metric).toBe('Tone')
})
