import { stringify } from 'yaml'
import { countNoun, InputError, type Suite, type TestCase } from '../../contract/index.ts'
import { ANSWER_WITH_LETTER } from './recipes/multiple-choice.ts'
import { writeOptions } from './parts/options.ts'

/** How Inspect names the ways of scoring that mean the same there; `hub-task.ts` reads them back. */
const SCORERS: { scoringMethod: string; metric?: string; scorer: { name: string; args?: Record<string, unknown> } }[] =
  [
    { scoringMethod: 'multiple-choice', scorer: { name: 'choice' } },
    { scoringMethod: 'text-overlap', metric: 'normalized-match', scorer: { name: 'exact' } },
    { scoringMethod: 'text-overlap', metric: 'f1', scorer: { name: 'f1' } },
    { scoringMethod: 'boolean', scorer: { name: 'includes' } },
    { scoringMethod: 'math', scorer: { name: 'match', args: { numeric: true } } },
    { scoringMethod: 'llm-judge', scorer: { name: 'model_graded_qa' } },
  ]

const METHODS =
  'multiple-choice, text-overlap (normalized-match or f1), boolean, math and llm-judge with an expected output'

/** The file with the rows, which the hub takes for the split of its name. */
const SPLIT = 'test'

/** Fields of a case that are written, or that say nothing. */
const KNOWN = new Set([
  'id',
  'prompt',
  'scoringMethod',
  'metric',
  'expectedOutput',
  'accepted',
  'choices',
  'metadata',
  'cluster',
  'weight',
])

export interface WrittenTask {
  /** The `eval.yaml`. */
  text: string
  rows: { name: string; text: string }
  /** What of the suite the format has no place for. */
  warnings: string[]
}

type Case = TestCase & { metric?: unknown; accepted?: unknown; choices?: unknown; negate?: unknown }

const findScorer = ({ scoringMethod, metric, negate }: Case) =>
  negate === true
    ? undefined
    : SCORERS.find(
        (one) =>
          one.scoringMethod === scoringMethod &&
          (one.metric === undefined || one.metric === (metric ?? 'normalized-match')),
      )?.scorer

/** A suite as a benchmark on Hugging Face: https://huggingface.co/docs/hub/eval-results. Reading it gives the same questions. */
export function writeTask(suite: Suite): WrittenTask {
  const [first] = suite.testCases
  const scorer = first && findScorer(first)
  if (!first || !scorer)
    throw new InputError(
      `${first?.id ?? suite.name}: is scored by ${first?.scoringMethod ?? 'several checks'}, and an eval.yaml knows ${METHODS}`,
    )
  const isChoice = scorer.name === 'choice'
  const rows = suite.testCases.map((testCase) => {
    const own = findScorer(testCase)
    if (own !== scorer)
      throw new InputError(
        `${testCase.id}: is not scored as ${first.id} is, and a task of an eval.yaml has one way of scoring; write a suite for each`,
      )
    return makeRow(testCase, isChoice)
  })
  const system = isChoice ? suite.systemPrompt?.replace(ANSWER_WITH_LETTER, '').trim() : suite.systemPrompt
  const document = {
    name: suite.name,
    ...(suite.description !== undefined && { description: suite.description }),
    evaluation_framework: 'inspect-ai',
    tasks: [
      {
        id: suite.name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_') || 'task',
        config: 'default',
        split: SPLIT,
        field_spec: { input: 'input', target: 'target', ...(isChoice && { choices: 'choices' }) },
        solvers: [
          ...(system ? [{ name: 'system_message', args: { template: system } }] : []),
          { name: isChoice ? 'multiple_choice' : 'generate' },
        ],
        scorers: [scorer],
      },
    ],
  }
  return {
    text: stringify(document, { lineWidth: 0 }),
    rows: { name: `${SPLIT}.jsonl`, text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
    warnings: listLosses(suite),
  }
}

function makeRow(testCase: Case, isChoice: boolean) {
  const { id, prompt, expectedOutput, accepted, choices, metadata, cluster } = testCase
  if (prompt === undefined)
    throw new InputError(`${id}: has several messages, and an eval.yaml asks one question a row`)
  if (expectedOutput === undefined) throw new InputError(`${id}: has no expected output, and an eval.yaml needs one`)
  const others = Array.isArray(accepted) ? accepted : []
  const listed = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []
  const options = `\n\n${writeOptions(listed)}`
  if (isChoice && !prompt.endsWith(options))
    throw new InputError(`${id}: its prompt does not end with its choices as lines (A) …), as they are asked`)
  const { category, difficulty, tags, split } = metadata ?? {}
  return {
    id,
    input: isChoice ? prompt.slice(0, -options.length) : prompt,
    target: others.length > 0 ? [expectedOutput, ...others] : expectedOutput,
    ...(isChoice && { choices: listed }),
    ...(category !== undefined && { category }),
    ...(difficulty !== undefined && { difficulty }),
    ...(tags !== undefined && { tags }),
    ...(split !== undefined && { split }),
    ...(cluster !== undefined && { cluster }),
  }
}

function listLosses({ testCases, variants, passAt }: Suite): string[] {
  const options = new Set(testCases.flatMap((testCase) => Object.keys(testCase).filter((name) => !KNOWN.has(name))))
  const weighted = testCases.filter(({ weight }) => weight !== undefined && weight !== 1).length
  const lost = [
    ...(variants && variants.length > 0 ? [countNoun(variants.length, 'variant')] : []),
    ...(passAt === undefined ? [] : ['passAt']),
    ...(weighted > 0 ? [`the weights of ${countNoun(weighted, 'case')}`] : []),
    ...options,
  ]
  return lost.length === 0 ? [] : [`an eval.yaml has no place for ${lost.join(', ')}`]
}
