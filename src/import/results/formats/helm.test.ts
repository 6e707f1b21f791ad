import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { listResultsFiles, readResults, type ResultsChoices } from '../read-results.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })))
})

async function write(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-helm-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

async function read(files: Record<string, unknown>, choices: ResultsChoices = {}, name = Object.keys(files)[0]!) {
  return readResults(join(await write(files), name), { now: 0, ...choices })
}

/** As HELM writes it: stats are sums, a count of 0 has no mean. */
const stat = (name: string, value: number, count = 1) => ({
  name: { name, split: 'test' },
  count,
  sum: value,
  ...(count > 0 && { min: value, max: value, mean: value / count }),
})
const scores = (id: string, exact: number, others = {}) => ({
  instance_id: id,
  train_trial_index: 0,
  stats: [
    stat('num_prompt_tokens', 333),
    stat('training_co2_cost', 0, 0),
    stat('exact_match', exact),
    stat('f1_score', 0.5),
  ],
  ...others,
})
const request = (id: string, text: string, others = {}) => ({
  instance: {
    input: { text: `Question ${id}` },
    references: [
      { output: { text: 'wrong' }, tags: [] },
      { output: { text: 'right' }, tags: ['correct'] },
    ],
    split: 'test',
    id,
  },
  train_trial_index: 0,
  request: { model: 'openai/gpt2', prompt: `Examples…\nQuestion ${id}` },
  result: { success: true, completions: [{ text, logprob: 0, tokens: [] }], request_time: 0.5 },
  ...others,
})
const SPEC = {
  name: 'mmlu:subject=philosophy,method=multiple_choice_joint,model=openai_gpt2',
  adapter_spec: { method: 'multiple_choice_joint', model: 'openai/gpt2', model_deployment: 'huggingface/gpt2' },
}
const STATE = { adapter_spec: SPEC.adapter_spec, request_states: [request('id1', ' D'), request('id2', ' A')] }
const STATS = [scores('id1', 0), scores('id2', 1)]
const RUN = { 'per_instance_stats.json': STATS, 'scenario_state.json': STATE, 'run_spec.json': SPEC }

it('reads the scores of each instance with the answers and the model beside them', async () => {
  const results = await read(RUN)
  expect(results).toMatchObject({
    tool: 'HELM',
    task: 'mmlu:subject=philosophy,method=multiple_choice_joint',
    models: ['openai/gpt2'],
    metric: 'exact_match',
    metrics: [{ name: 'exact_match' }, { name: 'f1_score' }],
    scored: 2,
    warnings: [],
  })
  expect(results.runs[0]!.results).toMatchObject([
    { testCaseId: 'id1', response: ' D', latencyMs: 500, promptTokens: 333, score: { score: 0 } },
    { testCaseId: 'id2', response: ' A', score: { score: 1 } },
  ])
  // Without the examples before it, which differ between models.
  expect(results.runs[0]!.testSuiteSnapshot!.testCases[0]).toMatchObject({
    prompt: 'Question id1',
    expectedOutput: 'right',
  })
})
it('the state reads the scores beside it; alone it has answers without scores', async () => {
  expect(await read(RUN, {}, 'scenario_state.json')).toMatchObject({ metric: 'exact_match', scored: 2 })
  const alone = await read({ 'scenario_state.json': STATE })
  expect(alone).toMatchObject({ models: ['openai/gpt2'], scored: 0, unscored: 2 })
  expect(alone.runs[0]!.results[0]).toMatchObject({ response: ' D' })
})
it('reads displayed predictions, with the questions from the instances', async () => {
  const results = await read({
    'display_predictions.json': [
      {
        instance_id: 'id1',
        train_trial_index: 0,
        predicted_text: 'B',
        mapped_output: 'x',
        stats: { num_prompt_tokens: 9, exact_match: 1 },
      },
    ],
    'instances.json': [STATE.request_states[0]!.instance],
    'run_spec.json': SPEC,
  })
  expect(results).toMatchObject({ models: ['openai/gpt2'], metric: 'exact_match', scored: 1, warnings: [] })
  expect(results.runs[0]!.results[0]).toMatchObject({ response: 'B', promptTokens: 9 })
  expect(results.runs[0]!.testSuiteSnapshot!.testCases[0]).toMatchObject({
    prompt: 'Question id1',
    expectedOutput: 'right',
  })
})
it('of a folder, each run is read once', async () => {
  const folder = await write({ ...RUN, 'stats.json': [stat('exact_match', 1)], 'scenario.json': { name: 'mmlu' } })
  expect((await listResultsFiles(folder)).map((path) => basename(path))).toEqual(['per_instance_stats.json'])
})
it('a request that failed is an error, whatever its score says', async () => {
  const failed = request('id1', '', { result: { success: false, error: 'quota', completions: [] } })
  const { runs } = await read({
    ...RUN,
    'scenario_state.json': { ...STATE, request_states: [failed, request('id2', ' A')] },
  })
  expect(runs[0]!.results.map(({ status, error }) => [status, error])).toEqual([
    ['failed', 'quota'],
    ['completed', undefined],
  ])
})
it('trials are epochs, and changed inputs are samples of their own', async () => {
  const { epochs, runs } = await read({
    'per_instance_stats.json': [
      scores('id1', 0),
      scores('id1', 1, { train_trial_index: 1 }),
      scores('id1', 0, { perturbation: { name: 'typos', robustness: true } }),
    ],
    'run_spec.json': SPEC,
  })
  expect(epochs).toBe(2)
  expect(runs.map(({ results }) => results.map(({ testCaseId }) => testCaseId))).toEqual([
    ['id1', 'id1 (typos)'],
    ['id1'],
  ])
})
it('a statistic that counted nothing, or NaN, is unscored', async () => {
  const stats = [{ ...scores('id1', 0), stats: [stat('exact_match', 0, 0)] }, scores('id2', 1), scores('id3', 0.987)]
  const written = JSON.stringify(stats).replaceAll('0.987', 'NaN')
  expect(await read({ 'per_instance_stats.json': written, 'run_spec.json': SPEC })).toMatchObject({
    metric: 'exact_match',
    scored: 1,
    unscored: 2,
    warnings: [expect.stringContaining('3 of 3 instances come without the model’s answer'.replace('’', "'"))],
  })
})
it('without a run_spec the model is asked for', async () => {
  expect((await read({ 'per_instance_stats.json': STATS })).warnings[0]).toContain('nothing names the model')
  expect((await read({ 'per_instance_stats.json': STATS }, { model: 'm' })).models).toEqual(['m'])
})
it.each([
  ['per_instance_stats.json', JSON.stringify(STATS).slice(0, -9), /cut off/],
  ['scenario_state.json', JSON.stringify(STATE).slice(0, -9), /cut off/],
  ['per_instance_stats.json', [{ ...scores('id1', 1), instance_id: null }], /has no instance_id/],
])('refuses %s: %j', async (name, content, message) => {
  await expect(read({ [name]: content })).rejects.toThrow(message)
})
