import { describe, expect, it } from 'vitest'
import type { RunResult, Suite, TestCase } from '../../../contract/index.ts'
import { buildComparison, makeSide } from '../../comparing/comparison-report.ts'
import { formats } from '../../formats.ts'
import { prepareForSharing } from '../../sharing/sharing.ts'
import { buildReport } from '../report.ts'
import { readPrompts } from './templates.ts'

const NAMES = 'Anna Bilal Chen Dora Emeka Farah Goran Hana'.split(' ')
const TEMPLATES = [
  (name: string, count: number) =>
    `${name} has ${count} apples in a box and gives some of them to a friend. How many are in the box on the next day?`,
  (name: string, count: number) =>
    `A shop sells stamps for ${count} dollars each and ${name} pays with a note. What does the cashier give back then?`,
  (name: string, count: number) =>
    `Every morning ${name} walks ${count} kilometres to the market and by a longer path home. What distance is it?`,
]
const SYLLABLES = 'ba do ki lu me ra so ti va ne'.split(' ')

/** Words that no other case has. */
const unlike = (index: number) =>
  Array.from({ length: 9 }, (_, place) => {
    const code = 97 * index + 13 * place
    return `${SYLLABLES[code % 10]}${SYLLABLES[Math.floor(code / 10) % 10]}${SYLLABLES[Math.floor(code / 100) % 10]}${place % 2 ? 'n' : 's'}`
  }).join(' ')

/** Variants of three templates, then cases that are unlike each other. */
function makeSuite(
  { variants = 24, others = 36 } = {},
  change: (testCase: TestCase) => TestCase = (same) => same,
): Suite {
  const prompts = [
    ...Array.from({ length: variants }, (_, index) => TEMPLATES[index % 3]!(NAMES[index % 8]!, 3 + 7 * index)),
    ...Array.from({ length: others }, (_, index) => `${unlike(index)}?`),
  ]
  return {
    name: 'Variants',
    testCases: prompts.map((prompt, index) =>
      change({ id: `c${index}`, prompt, weight: 1, scoringMethod: 'exact-match', expectedOutput: 'x' }),
    ),
  }
}

type ScoreOf = (index: number) => number

function makeRun(suite: Suite, models: Record<string, ScoreOf>, id = 'run'): RunResult {
  return {
    id,
    models: Object.keys(models),
    testSuiteSnapshot: suite,
    results: suite.testCases.flatMap(({ id: testCaseId }, index) =>
      Object.entries(models).map(([modelId, scoreOf]) => ({
        testCaseId,
        modelId,
        score: { score: scoreOf(index) },
      })),
    ),
  }
}

/** Better on the variants of two templates only: 16 cases, but 2 templates. */
const ahead: ScoreOf = (index) => (index < 24 && index % 3 === 2 ? 0 : 1)
const behind: ScoreOf = (index) => (index < 24 ? 0 : 1)
/** Better on the cases that are unlike each other. */
const best: ScoreOf = () => 1
const poor: ScoreOf = (index) => (index < 24 ? 1 : index % 2)

const CHECK = 'If they belong together, check the suite to keep them as groups.'

describe('a suite whose cases look like variants of templates', () => {
  it('is warned of with both results where the verdict rests on counting variants', () => {
    const run = makeRun(makeSuite(), { A: ahead, B: behind })
    const report = buildReport(run)
    expect(report.templates).toMatchObject({
      cases: 24,
      of: 60,
      templates: 3,
      verdicts: 1,
      lost: [{ modelA: 'A', modelB: 'B' }],
      sentence: `24 of 60 cases look like variants of 3 templates. Counted by case: A beats B; counted by template: too close to call. ${CHECK}`,
    })
    // It changes no value.
    const { paired } = report.comparisons[0]!.comparison
    expect(paired).toMatchObject({ n: 60, clusters: 60, isSignificant: true })
    expect(report.clusterCount).toBe(60)
    // The intervals are those of a suite that names the templates as clusters.
    const named = makeSuite({}, (testCase) => {
      const index = Number(testCase.id.slice(1))
      return index < 24 ? { ...testCase, cluster: `t${index % 3}` } : testCase
    })
    const counted = buildReport(makeRun(named, { A: ahead, B: behind }))
    expect(counted.templates).toBeUndefined()
    expect(counted.clusterCount).toBe(39)
    expect(counted.comparisons[0]!.comparison.paired).toMatchObject({ clusters: 39, isSignificant: false })
    for (const { modelId, low, high } of report.templates!.scores)
      expect(counted.rows.find((row) => row.modelId === modelId)!.score).toMatchObject({ low, high })
  })

  it('is told that the verdict holds, or that there is none either way', () => {
    const sentenceOf = (models: Record<string, ScoreOf>) =>
      buildReport(makeRun(makeSuite(), models)).templates?.sentence
    const lead = '24 of 60 cases look like variants of 3 templates.'
    expect(sentenceOf({ A: best, B: poor })).toBe(`${lead} Counted by template, too, A beats B. ${CHECK}`)
    expect(sentenceOf({ A: best, B: best })).toBe(`${lead} Counted by template: still too close to call. ${CHECK}`)
    expect(sentenceOf({ A: best, B: poor, C: best })).toBe(
      `${lead} Counted by template: all verdicts still hold. ${CHECK}`,
    )
    const { templates } = buildReport(makeRun(makeSuite(), { A: best, B: poor, C: ahead }))
    expect(templates!.sentence).toContain('Counted by template, 1 of 2 verdicts would no longer hold.')
    expect(templates!.lost).toEqual([{ modelA: 'A', modelB: 'C' }])
  })

  it('has the interval counted by template if there is only one model', () => {
    const { templates } = buildReport(makeRun(makeSuite(), { A: ahead }))
    const { low, high } = templates!.scores[0]!
    expect(templates!.sentence).toContain(
      `Counted by template, the 95 % CI is ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}.`,
    )
  })

  it('is warned of in every format, also when its texts are left out', () => {
    const run = makeRun(makeSuite(), { A: ahead, B: behind })
    for (const { isWithoutTexts, isAnonymous } of [
      { isWithoutTexts: false, isAnonymous: false },
      { isWithoutTexts: true, isAnonymous: true },
    ]) {
      const { runs, prompts } = prepareForSharing({ runs: [run] }, { isWithoutTexts, isAnonymous })
      const report = buildReport(runs, { prompts })
      expect(report.verdictCard.caveats.map(({ text }) => text)).toContain(report.templates!.sentence)
      for (const name of ['html', 'markdown', 'pr-comment', 'latex', 'json']) {
        const written = [...formats.find((format) => format.name === name)!.write(report)].join('')
        expect(written, name).toContain('24 of 60 cases look like variants of 3 templates')
      }
    }
  })

  it('is warned of when two runs are compared', () => {
    const suite = makeSuite()
    const sides = [makeSide([makeRun(suite, { m: behind }, 'old')]), makeSide([makeRun(suite, { m: ahead }, 'new')])]
    const { templates } = buildComparison(sides)
    expect(templates).toMatchObject({ cases: 24, of: 60, templates: 3, verdicts: 1 })
    expect(templates!.lost).toHaveLength(1)
    expect(templates!.sentence).toMatch(/Counted by case: .* beats .*; counted by template: too close to call/)
    expect(buildComparison(sides, { isWithoutTexts: true }).templates?.sentence).toBe(templates!.sentence)
  })

  it('is read as it is sent: conversations and the prompts of variants', () => {
    const models = { 'A@short': ahead, 'B@short': behind }
    const talk = makeSuite({}, ({ prompt = '', ...testCase }) => ({
      ...testCase,
      messages: [
        {
          role: 'system' as const,
          content: 'You are a careful teacher of mathematics, and answer with a number only.',
        },
        { role: 'user' as const, content: prompt },
      ],
    }))
    expect(buildReport(makeRun(talk, models)).templates).toMatchObject({ cases: 24, templates: 3 })
    const variant = {
      ...makeSuite({}, ({ prompt = '', ...testCase }) => ({ ...testCase, vars: { story: prompt } })),
      variants: [{ name: 'short', prompt: 'Read the following story and answer in one word: {{story}}' }],
    }
    expect(buildReport(makeRun(variant, models)).templates).toMatchObject({ cases: 24, templates: 3 })
  })
})

describe('no warning', () => {
  const models = { A: ahead, B: behind }
  it('for one template with different contents, however alike their form is', () => {
    const suite = makeSuite({ variants: 0, others: 40 }, ({ prompt, ...testCase }) => ({
      ...testCase,
      prompt: `Translate the following sentence into French and answer with the translation only: ${prompt}`,
    }))
    expect(buildReport(makeRun(suite, models)).templates).toBeUndefined()
  })

  it('for cases that all ask the same word for word: what differs is not in their prompts', () => {
    const suite = makeSuite({}, (testCase) => ({ ...testCase, prompt: 'Fix the failing test in this repository.' }))
    expect(buildReport(makeRun(suite, models)).templates).toBeUndefined()
  })

  it('for a pair among many, and for pictures, which words do not tell apart', () => {
    expect(buildReport(makeRun(makeSuite({ variants: 4, others: 56 }), models)).templates).toBeUndefined()
    const pictures = makeSuite({}, ({ prompt: _prompt, ...testCase }) => ({
      ...testCase,
      messages: [
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: 'What is in this picture?' },
            { type: 'image' as const, image: `data:image/png;base64,${testCase.id}` },
          ],
        },
      ],
    }))
    expect(buildReport(makeRun(pictures, models)).templates).toBeUndefined()
  })

  it('where a suite names clusters for some of its cases, or gives no prompts, or too many', () => {
    const [first, ...rest] = makeSuite().testCases
    const suite = {
      name: 'Partly',
      clusterBy: 'topic',
      testCases: [{ ...first!, metadata: { topic: 'apples' } }, ...rest],
    }
    expect(buildReport(makeRun(suite, models)).templates).toBeUndefined()
    const { testSuiteSnapshot: _suite, ...run } = makeRun(makeSuite(), models)
    expect(buildReport(run).templates).toBeUndefined()
    const long = makeSuite({}, (testCase) => ({ ...testCase, prompt: `${testCase.prompt} ${'very '.repeat(9000)}` }))
    expect(readPrompts([long]).size).toBe(0)
  })
})
