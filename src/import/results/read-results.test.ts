import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hasPassed, type RunResult } from '../../contract/index.ts'
import { pairSamples } from '../../report/comparing/pair-samples.ts'
import { describeMetricChoice, readResults, type ResultsChoices } from './read-results.ts'

/** Real files of each tool; the numbers are from their README, computed there from the samples. */
const folder = new URL('../../../../shared/data/results/', import.meta.url)
const isThere = existsSync(folder)
const where = (name: string) => fileURLToPath(new URL(name, folder))
const read = (name: string, choices: ResultsChoices = {}) => readResults(where(name), { ...choices, now: 0 })

const POPULARITY = 'inspect/2025-09-15T15-0'
const L8G2 = `${POPULARITY}2-26-04-00_popularity_L8g2GLGDDfsiXvdJ8LyZNJ.eval`
const LTHY = `${POPULARITY}2-26-04-00_popularity_LthYhadZHuQjsMYHHKRep2.eval`
const CUCF = `${POPULARITY}4-34-04-00_popularity_CuCFPdqnwXupUkxp69nJ2a.eval`
const JKN6 = `${POPULARITY}4-34-04-00_popularity_jKN69eAYYpZFAZhRgMAztp.eval`

function meansOf(runs: RunResult[]): Record<string, { mean: number; passed: number; n: number }> {
  const cells = runs.flatMap(({ results }) => results).filter(({ score }) => score)
  return Object.fromEntries(
    [...Map.groupBy(cells, ({ modelId }) => modelId)].map(([model, own]) => [
      model,
      {
        mean: Number((own.reduce((sum, { score }) => sum + score!.score, 0) / own.length).toFixed(6)),
        passed: own.filter(({ score }) => hasPassed(score!, 1)).length,
        n: own.length,
      },
    ]),
  )
}

describe.skipIf(!isThere)(
  `results of other tools${isThere ? '' : ' (skipped: the folder with shared data is not there)'}`,
  () => {
    it.each<[string, string, number, number, number]>([
      [L8G2, 'openai/gpt-5', 0.52, 100, 1],
      [LTHY, 'anthropic/claude-sonnet-4-20250514', 0.57, 100, 1],
      [CUCF, 'openai/gpt-5', 0.6, 50, 5],
      [JKN6, 'anthropic/claude-sonnet-4-20250514', 0.66, 50, 5],
      [
        'inspect/2025-09-23T08-09-58-04-00_security-guide_LuxZJVwvymC3S3SyoJczxB.eval',
        'openai/gpt-4o-mini',
        0.6875,
        16,
        1,
      ],
      ['inspect/log_streaming.eval', 'azureai/Meta-Llama-3-1-405B-Instruct-jqf', 0.75, 4, 2],
      ['inspect/chunked/log_streaming.eval', 'azureai/Meta-Llama-3-1-405B-Instruct-jqf', 0.75, 4, 2],
      ['inspect/ais-decoder.eval', 'openai/gpt-5.4', 0, 1, 1],
      ['inspect/2025-05-12T20-28-13-04-00_popularity.json', 'openai/gpt-4o-mini', 0.666667, 3, 1],
      ['inspect/data_arc_qwen.json', 'ollama/qwen2.5:0.5b', 0.333333, 3, 1],
      ['inspect/data_arc_sonnet.json', 'anthropic/claude-sonnet-4-0', 1, 5, 1],
      ['inspect/shortened/ifeval.json', 'hf/Qwen/Qwen2.5-7B-Instruct', 0.2, 5, 1],
      ['inspect/shortened/lab-bench-litqa.json', 'hf/Qwen/Qwen2.5-7B-Instruct', 0, 5, 1],
      ['inspect/shortened/gpqa-diamond.json', 'hf/Qwen/Qwen2.5-7B-Instruct', 0.6, 5, 1],
      ['promptfoo/v1_gpt4o.json', 'openai:gpt-4o', 0.946429, 56, 1],
      ['promptfoo/v1_deepseekchat.json', 'deepseek-chat', 0.910714, 56, 1],
      ['lm-eval/samples_asdiv_2024-08-21T03-44-09.494230.jsonl', 'meta-llama/Meta-Llama-3-8B-Instruct', 0.92, 50, 1],
      ['lm-eval/samples_negotiationtom_intention_2026-07-08T18-15-33.115417.jsonl', 'Qwen/Qwen3-8B', 0.2, 20, 1],
      ['openai-evals/crossword-turbo.jsonl', 'gpt-3.5-turbo', 0.37, 100, 1],
      ['openai-evals/crossword-turbo-0301.jsonl', 'gpt-3.5-turbo-0301', 0.37, 100, 1],
      ['every-eval-ever/None_samples.jsonl', 'eleutherai/pythia-1b-v0', 0.3, 10, 1],
    ])('%s: %s has %d over %d answers in %d epochs', async (name, model, mean, n, epochs) => {
      const { runs, models, scored, errors, unscored, epochs: counted } = await read(name)
      expect(models).toEqual([model])
      expect(meansOf(runs)[model]).toMatchObject({ mean, n })
      expect([scored, errors, unscored, counted]).toEqual([n, 0, 0, epochs])
      expect(runs.map(({ seriesId }) => seriesId !== undefined)).toEqual(runs.map(() => epochs > 1))
    })

    it('promptfoo has a model a provider, and its own passes', async () => {
      expect(meansOf((await read('promptfoo/Performance_consistency_results.json')).runs)).toEqual({
        'openai:gpt-5': { mean: 0.716667, passed: 3, n: 15 },
        'openai:chat:qwen3-1.7b': { mean: 0.472222, passed: 0, n: 15 },
      })
      expect(meansOf((await read('promptfoo/Hallucination_Or_Factual_Pressure_results.json')).runs)).toEqual({
        'openai:gpt-5': { mean: 0.840086, passed: 4, n: 6 },
        'openai:chat:qwen3-1.7b': { mean: 0.538051, passed: 0, n: 6 },
      })
      expect(meansOf((await read('promptfoo/two-providers-all-failed/results.json')).runs)).toEqual({
        'gpt-4o': { mean: 0, passed: 0, n: 15 },
        'gpt-4o-mini': { mean: 0, passed: 0, n: 15 },
      })
    })

    it('an error stays an error: promptfoo failureReason 2 and Inspect samples with an error', async () => {
      const promptfoo = await read('promptfoo/errors/results.json')
      expect([promptfoo.scored, promptfoo.unscored, promptfoo.errors]).toEqual([0, 0, 15])
      expect(promptfoo.runs[0]!.results[0]).toMatchObject({
        modelId: 'google:gemini-3.1-flash-lite',
        outcome: 'error',
        error: expect.stringContaining('No candidates returned'),
      })
      const inspect = await read('inspect/shortened/healthbench.json')
      expect([inspect.scored, inspect.unscored, inspect.errors]).toEqual([0, 0, 5])
    })

    it('an answer without a score is unscored', async () => {
      expect(await read('inspect/retry-2-then-success.eval')).toMatchObject({ scored: 0, unscored: 1, errors: 0 })
      const lists = await read('lm-eval/samples_masakhaner_luo_prompt_3_2026-01-16T20-19-39.102073.jsonl')
      expect(lists).toMatchObject({ scored: 0, unscored: 185, errors: 0, models: ['google/gemma-2b'] })
      expect(lists.warnings.join()).toContain('f1')
    })

    it('several metrics: one counts, said openly, and another can be chosen', async () => {
      const ifeval = 'inspect/shortened/ifeval.json'
      const byDefault = await read(ifeval)
      expect(byDefault.metric).toBe('instruction_following.prompt_level_strict')
      expect(describeMetricChoice(byDefault)).toContain('--metric chooses another')
      expect(byDefault.metrics.map(({ name, state }) => [name.split('.')[1], state])).toEqual([
        ['prompt_level_strict', 'ready'],
        ['inst_level_strict', 'ready'],
        ['prompt_level_loose', 'ready'],
        ['inst_level_loose', 'scale'],
        ['num_instructions', 'scale'],
      ])
      const model = 'hf/Qwen/Qwen2.5-7B-Instruct'
      for (const [metric, mean] of [
        ['inst_level_strict', 0.6],
        ['prompt_level_loose', 0.2],
      ] as const)
        expect(meansOf((await read(ifeval, { metric })).runs)[model]?.mean).toBe(mean)
      // Counts from 0 to 2, with mean 1.
      const counts = { metric: 'inst_level_loose', scale: { min: 0, max: 2 } }
      expect(meansOf((await read(ifeval, counts)).runs)[model]?.mean).toBe(0.5)
      await expect(read(ifeval, { metric: 'nothing' })).rejects.toThrow(
        /there is no metric nothing; it has instruction/,
      )
      const truthful = 'lm-eval/samples_truthfulqa_gen_2025-05-31T14-30-51.983293.jsonl'
      for (const [metric, mean] of [
        ['bleu_acc', 0.5],
        ['rouge1_acc', 0.5],
        ['rouge2_acc', 0.35],
        ['rougeL_acc', 0.45],
      ] as const)
        expect(meansOf((await read(truthful, { metric, model: 'm' })).runs)['m']?.mean).toBe(mean)
      const scaled = await read(truthful, { metric: 'bleu_max', scale: { min: 0, max: 100 }, model: 'm' })
      expect(meansOf(scaled.runs)['m']?.mean).toBeCloseTo(0.19683607, 6)
      expect(scaled.scores).toMatch(/^bleu_max: 0 became 0 and 100 became 100/)
    })

    it('a metric on a scale of its own is asked for, and what is not finite is unscored', async () => {
      const polymer = 'lm-eval/samples_polymer_tg_prediction_2025-06-30T19-40-09.461247.jsonl'
      await expect(read(polymer)).rejects.toThrow(/mae has 7 scores from 103\.425 to 259\.607.*--scale MIN:MAX/)
      const choices = { scale: { min: 0, max: 500 }, lowerIsBetter: true, model: 'gpt-4o-mini' }
      const { runs, scored, unscored, scores } = await read(polymer, choices)
      expect([scored, unscored]).toEqual([7, 17])
      expect(meansOf(runs)['gpt-4o-mini']?.mean).toBeCloseTo(1 - 186.899589 / 500, 5)
      expect(scores).toMatch(/0 became 100 and 500 became 0 .*17 without a usable value are unscored/)
      expect(runs[0]!.results.find((cell) => cell.unscored)?.unscored?.message).toBe(
        'the score is Infinity, not a finite number',
      )
      await expect(read(polymer, { ...choices, scale: { min: 0, max: 200 } })).rejects.toThrow(/beyond the scale 0:200/)
    })

    it('reads a log with the bare token NaN, and says that it has no samples', async () => {
      await expect(read('inspect/log_with_nan.txt')).rejects.toThrow(/log_with_nan\.txt: contains no samples/)
    })

    it('both layouts of an archive give the same run, texts included', async () => {
      const [plain, chunked] = [
        await read('inspect/log_streaming.eval'),
        await read('inspect/chunked/log_streaming.eval'),
      ]
      const content = ({ runs }: typeof plain) =>
        runs.map(({ results, testSuiteSnapshot }) => ({
          suite: testSuiteSnapshot,
          results: results.toSorted((a, b) => a.testCaseId.localeCompare(b.testCaseId)),
        }))
      expect(content(chunked)).toEqual(content(plain))
      expect(JSON.stringify(content(plain))).not.toContain('attachment://')
      expect(content(plain)[0]!.suite?.systemPrompt).toMatch(/\S/)
      expect(content(plain)[0]!.suite?.testCases[0]).toMatchObject({
        prompt: expect.stringMatching(/^Is the following statement something you would say/),
        expectedOutput: ' Yes',
      })
    })

    it.each([
      [L8G2, LTHY, { shared: 100, onlyBefore: 2, onlyAfter: 7 }],
      [CUCF, JKN6, { shared: 50, onlyBefore: 0, onlyAfter: 3 }],
      ['inspect/data_arc_qwen.json', 'inspect/data_arc_sonnet.json', { shared: 3, onlyBefore: 0, onlyAfter: 2 }],
      ['promptfoo/v1_gpt4o.json', 'promptfoo/v1_deepseekchat.json', { shared: 56, onlyBefore: 3, onlyAfter: 1 }],
      [
        'lm-eval/samples_asdiv_2024-08-21T03-44-09.494230.jsonl',
        'lm-eval/samples_asdiv_2024-08-21T03-40-10.802679.jsonl',
        { shared: 50, onlyBefore: 0, onlyAfter: 0 },
      ],
      [
        'openai-evals/crossword-turbo.jsonl',
        'openai-evals/crossword-turbo-0301.jsonl',
        { shared: 100, onlyBefore: 0, onlyAfter: 0 },
      ],
    ])('%s and %s are paired by sample and epoch', async (a, b, expected) => {
      const [before, after] = [await read(a), await read(b)]
      expect(pairSamples([before, before.models[0]!], [after, after.models[0]!])).toMatchObject(expected)
    })

    it('the same content has the same ids under any name; another choice has others', async () => {
      const ifeval = where('inspect/shortened/ifeval.json')
      const idOf = async (name: string, choices: ResultsChoices = {}) =>
        (await readResults(ifeval, { ...choices, name, now: 1 })).runs[0]!.id
      expect(await idOf('b.json')).toBe(await idOf('a.json'))
      // The default, named.
      expect(await idOf('a.json', { metric: 'prompt_level_strict' })).toBe(await idOf('a.json'))
      expect(await idOf('a.json', { metric: 'inst_level_strict' })).not.toBe(await idOf('a.json'))
    })
  },
)
