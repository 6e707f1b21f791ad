import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createScoring } from '../../scoring/index.ts'
import { importSuite } from '../suite-files/recognise-suite.ts'

const scoring = createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: () => 0.5 })

/** The first rows of datasets, as their authors publish them. */
const folder = fileURLToPath(new URL('../../../../shared/data/datasets/', import.meta.url))
const isHere = existsSync(folder)

it.skipIf(!isHere).each([
  ['agieval-sat-math.jsonl', 'multiple-choice', 25],
  ['bbh_date_understanding.json', 'multiple-choice', 25],
  ['evalscope-mcq.csv', 'multiple-choice', 12],
  ['gsm8k.jsonl', 'maths', 25],
  ['HumanEval.jsonl', 'code', 25],
  ['ifeval.jsonl', 'instructions', 25],
  ['inspect-biology-qa.jsonl', 'facts', 20],
  ['minerva-math.jsonl', 'maths', 25],
  ['mmlu-stem.jsonl', 'multiple-choice', 25],
  ['mt_bench.jsonl', 'conversations', 25],
  ['simpleqa.csv', 'facts', 25],
  ['svamp.jsonl', 'maths', 25],
  ['truthfulqa.csv', 'right-and-wrong', 25],
])(
  `%s is read as %s, and its own keys pass${isHere ? '' : ' (NOT HERE: ../shared/data is missing)'}`,
  async (name, recipe, count) => {
    const { suite, dataset } = await importSuite(`${folder}${name}`)
    expect(dataset).toMatchObject({ recipe, rows: count, leftOut: 0 })
    expect(suite.testCases).toHaveLength(count)
    for (const testCase of suite.testCases) {
      const { scoringMethod = '', expectedOutput = '' } = testCase
      if (!['multiple-choice', 'math', 'text-overlap'].includes(scoringMethod)) continue
      const response =
        scoringMethod === 'math'
          ? `So we get $\\boxed{${expectedOutput}}$.`
          : `Therefore the answer is **${expectedOutput}**.`
      const { score } = await scoring.scoreResponse(testCase, { response })
      expect({ response, score }).toEqual({ response, score: 1 })
    }
  },
)
