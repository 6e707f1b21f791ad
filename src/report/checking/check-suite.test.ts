import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult, Suite, TestCase } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { checkSuite } from './check-suite.ts'

const COUNTRIES =
  'France Spain Italy Poland Norway Sweden Greece Turkey Egypt Kenya Ghana Mali Chad Peru Chile Cuba Haiti India Nepal Laos Japan Fiji Tonga Malta Latvia Serbia Angola Gabon Niger Togo'.split(
    ' ',
  )
const RATES: Record<string, number> = { best: 0.97, good: 0.93, fine: 0.9, weak: 0.5, poor: 0.35 }

function makeCase(id: string, prompt: string, expectedOutput: string, more: Partial<TestCase> = {}): TestCase {
  return { id, prompt, expectedOutput, scoringMethod: 'exact-match', weight: 1, ...more }
}

const cleanCases = COUNTRIES.map((country) =>
  makeCase(
    country.toLowerCase(),
    `Name the capital city of ${country}. Answer with its name only.`,
    `Capital-${country}`,
  ),
)

type Answer = { passed: boolean; text: string; judges?: number[] }

function makeRun(
  testCases: TestCase[],
  answer: (testCase: TestCase, model: string) => Answer,
  models = Object.keys(RATES),
  id = 'r',
): RunResult {
  const results = testCases.flatMap((testCase) =>
    models.map((modelId): CellResult => {
      const { passed, text, judges } = answer(testCase, modelId)
      return {
        testCaseId: testCase.id,
        modelId,
        response: text,
        score: {
          score: passed ? 1 : 0,
          passed,
          ...(judges && {
            judges: judges.map((score, index) => ({ judgeModelId: `judge-${index}`, score, reasoning: '' })),
          }),
        },
      }
    }),
  )
  return { id, models, results, testSuiteSnapshot: { name: 'S', testCases } }
}

/** Models that are right as often as their rate says, and wrong each in its own way. */
function drawAnswers(seed: number): (testCase: TestCase, model: string) => Answer {
  const random = createRandom(seed)
  return ({ expectedOutput = '' }, model) => {
    const passed = random() < (RATES[model] ?? 0.5)
    return { passed, text: passed ? expectedOutput : `Wrong-${Math.floor(random() * 20)}` }
  }
}

const isGood = (model: string) => ['best', 'good', 'fine'].includes(model)

/** Ten faults among thirty clean cases. */
const planted: Record<string, { testCase: TestCase; answer?: (model: string) => Answer }> = {
  'key-1': {
    testCase: makeCase('key-1', 'In which year did Apollo 11 land on the moon?', '1968'),
    answer: (model) => ({ passed: false, text: isGood(model) ? 'The answer is 1969.' : '1970' }),
  },
  'key-2': {
    testCase: makeCase('key-2', 'Which metal is liquid at room temperature?', 'Lead'),
    answer: (model) => ({ passed: false, text: model === 'poor' ? 'Iron' : 'Mercury' }),
  },
  'fail-1': {
    testCase: makeCase('fail-1', 'Spell the longest word you know backwards.', 'xyz'),
    answer: (model) => ({ passed: false, text: `attempt of ${model}` }),
  },
  'fail-2': {
    testCase: makeCase('fail-2', 'Guess which colour I think of.', 'teal'),
    answer: (model) => ({ passed: false, text: `colour ${model}` }),
  },
  'falls-1': {
    testCase: makeCase('falls-1', 'How many legs has a spider on Mars?', '8'),
    answer: (model) => ({ passed: !isGood(model), text: isGood(model) ? `None, said ${model}` : '8' }),
  },
  'twin-1': {
    testCase: makeCase('twin-1', 'Name the capital city of France. Answer with its name only!', 'Capital-France'),
  },
  'twin-2': {
    testCase: makeCase('twin-2', 'Who painted the famous Mona Lisa portrait?', 'Leonardo da Vinci'),
  },
  'twin-3': { testCase: makeCase('twin-3', 'Who painted the Mona Lisa portrait?', 'Leonardo da Vinci') },
  'method-1': { testCase: makeCase('method-1', 'Give a date in ISO format.', String.raw`/^\d{4}-\d{2}-\d{2}$/`) },
  'method-2': {
    testCase: makeCase('method-2', 'Explain why the sky is blue.', 'The answer should mention Rayleigh scattering'),
  },
  'judges-1': {
    testCase: makeCase('judges-1', 'Write a limerick about rain.', 'a limerick', { scoringMethod: 'llm-judge' }),
    answer: () => ({ passed: true, text: 'There once…', judges: [1, 0.2] }),
  },
}

const kindsOf = ({ findings }: ReturnType<typeof checkSuite>) =>
  findings.map(({ kind, caseIds }) => `${kind} ${caseIds.join('+')}`).toSorted()

describe('checkSuite', () => {
  it.each([1, 2, 3, 4, 5])('finds ten planted faults and invents none (seed %d)', (seed) => {
    const testCases = [...cleanCases, ...Object.values(planted).map(({ testCase }) => testCase)]
    const drawn = drawAnswers(seed)
    const run = makeRun(testCases, (testCase, model) => planted[testCase.id]?.answer?.(model) ?? drawn(testCase, model))
    // Where the judges agree.
    for (const cell of run.results)
      if (cell.testCaseId !== 'judges-1' && cell.score)
        cell.score.judges = [0, 0.1].map((less, index) => ({
          judgeModelId: `judge-${index}`,
          score: Math.abs(cell.score!.score - less),
          reasoning: '',
        }))
    const checked = checkSuite({ name: 'S', testCases }, [run])
    expect(kindsOf(checked)).toEqual([
      'all-fail fail-1',
      'all-fail fail-2',
      'falls falls-1',
      'judges-split judges-1',
      'key-disputed key-1',
      'key-disputed key-2',
      'method-mismatch method-1',
      'method-mismatch method-2',
      'near-duplicate france+twin-1',
      'near-duplicate twin-2+twin-3',
    ])
    for (const { sentence, evidence, caseIds } of checked.findings) {
      expect(evidence.length).toBeGreaterThan(0)
      for (const id of caseIds) expect(sentence).toContain(id)
    }
    expect(checked.findings.find(({ caseIds }) => caseIds[0] === 'key-1')?.sentence).toEqual(
      expect.stringMatching(
        /^The best models agree against the key of key-1: (best|good|fine), (best|good|fine) and (best|good|fine) answer “The answer is 1969\.” where “1968” is expected\. The key may be wrong\.$/,
      ),
    )
  })

  it('says hardly ever anything about a clean suite: fifty draws of its answers', () => {
    const found = Array.from({ length: 50 }, (_, seed) =>
      kindsOf(checkSuite({ name: 'S', testCases: cleanCases }, [makeRun(cleanCases, drawAnswers(seed + 100))])),
    ).flat()
    // At most one suite in ten by chance.
    expect(found.length).toBeLessThanOrEqual(5)
  })

  it.each([
    [2, 5],
    [2, 20],
    [3, 8],
    [4, 10],
    [6, 30],
    [8, 12],
  ])('invents hardly anything in noise: %d models, %d cases', (modelCount, caseCount) => {
    const random = createRandom(modelCount * 1000 + caseCount)
    const testCases = cleanCases.slice(0, caseCount)
    const draws = 100
    const counts = new Map<string, number>()
    for (let draw = 0; draw < draws; draw += 1) {
      const rates = Array.from({ length: modelCount }, () => 0.2 + 0.6 * random())
      const models = rates.map((_, index) => `m${index}`)
      const run = makeRun(
        testCases,
        ({ expectedOutput = '' }, model) => {
          const passed = random() < rates[models.indexOf(model)]!
          return { passed, text: passed ? expectedOutput : `Wrong-${Math.floor(random() * 4)}` }
        },
        models,
      )
      for (const { kind } of checkSuite({ name: 'S', testCases }, [run]).findings)
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    // Of each kind, at most one suite in ten by chance.
    expect([...counts].filter(([, count]) => count / draws > 0.1)).toEqual([])
  })

  it('finds a ceiling and a floor, of the suite or of a category, if that is sure', () => {
    const all = (passed: boolean) => makeRun(cleanCases, () => ({ passed, text: 'x' }), ['a', 'b'])
    const suite: Suite = { name: 'S', testCases: cleanCases }
    expect(kindsOf(checkSuite(suite, [all(true)]))).toEqual(['ceiling '])
    expect(kindsOf(checkSuite(suite, [all(false)]))).toEqual(['floor '])
    const few = cleanCases.slice(0, 5)
    expect(
      kindsOf(
        checkSuite({ name: 'S', testCases: few }, [makeRun(few, () => ({ passed: true, text: 'x' }), ['a', 'b'])]),
      ),
    ).toEqual([])
    const sorted = cleanCases.map((testCase, index) => ({
      ...testCase,
      metadata: { category: index < 15 ? 'easy' : 'mixed' },
    }))
    const half = makeRun(
      sorted,
      ({ metadata }, model) => ({ passed: metadata?.category === 'easy' || model === 'a', text: 'x' }),
      ['a', 'b'],
    )
    const [found, ...others] = checkSuite({ name: 'S', testCases: sorted }, [half]).findings
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'ceiling', sentence: expect.stringContaining('The category easy is too easy') })
  })

  it('looks only at answers to cases that are still the same, and says what is missing', () => {
    const run = makeRun(cleanCases, () => ({ passed: false, text: 'x' }), ['a', 'b'])
    const testCases = cleanCases.map((testCase) => ({ ...testCase, prompt: `${testCase.prompt} Please.` }))
    expect(checkSuite({ name: 'S', testCases }, [run])).toMatchObject({
      findings: [],
      answers: 0,
      notes: [expect.stringMatching(/^No runs of these cases/)],
    })
  })

  it('judges that disagree everywhere are one finding, not one a case', () => {
    const random = createRandom(5)
    const run = makeRun(cleanCases, () => ({
      passed: random() < 0.5,
      text: `${random()}`,
      judges: [random(), random()],
    }))
    expect(kindsOf(checkSuite({ name: 'S', testCases: cleanCases }, [run]))).toEqual(['judges-split '])
  })
})

describe('near-duplicates', () => {
  const find = (...cases: [prompt: string, expected: string][]) =>
    kindsOf(
      checkSuite(
        { name: 'S', testCases: cases.map(([prompt, expected], index) => makeCase(`c${index}`, prompt, expected)) },
        [],
      ),
    )
  it('are the same question in other dress', () => {
    expect(find(['What is the capital of France?', 'Paris'], ['what is the capital of  FRANCE', 'Paris'])).toEqual([
      'near-duplicate c0+c1',
    ])
    expect(find(['What is the capital of France?', 'Paris'], ['What is the capital of France?', 'Lyon'])).toEqual([
      'contradiction c0+c1',
    ])
  })
  it.each([
    ['Who invented the compass?', 'Who invented the magnetic compass?'],
    ["What's France's capital?", 'What is the capital of France?'],
    ['Wie heißt die Hauptstadt von Frankreich?', 'Was ist die Hauptstadt Frankreichs?'],
    ['Quelle est la capitale de la France ?', 'Comment s’appelle la capitale de la France ?'],
    ['¿Cuál es la capital de Francia?', 'Por favor, di la capital de Francia.'],
    ['法国的首都是什么？', '请问法国首都是哪里？'],
    ['フランスの首都は何ですか。', 'フランスの首都はどこですか。'],
  ])('%s and %s', (first, second) => {
    expect(find([first, 'Paris'], [second, 'Paris'], ['Who wrote Faust?', 'Goethe'])).toEqual(['near-duplicate c0+c1'])
  })
  it('are not what another word turns around, in any language', () => {
    for (const [first, second] of [
      ['Welche Stadt liegt am Rhein?', 'Welche Stadt liegt nicht am Rhein?'],
      ['Quelle ville est sur le Rhin ?', 'Quelle ville n’est pas sur le Rhin ?'],
      ['哪个城市在莱茵河边？', '哪个城市不在莱茵河边？'],
    ] as const)
      expect(find([first, 'X'], [second, 'X'], ['Who wrote Faust?', 'Goethe'])).toEqual([])
  })
  it('are not questions from one template, with other numbers or other keys', () => {
    expect(
      find(
        ['Is a whale a mammal? Answer yes or no.', 'yes'],
        ['Is a dolphin a mammal? Answer yes or no.', 'yes'],
        ['Is 7 a prime number? Answer yes or no.', 'yes'],
        ['Is 11 a prime number? Answer yes or no.', 'yes'],
        ['What is 2+2?', '4'],
        ['What is 1+3?', '4'],
        ['What is the capital of Spain?', 'Madrid'],
        ['What is the capital of Italy?', 'Rome'],
        ['What is -3 + 4?', '1'],
        ['What is 3 - 4?', '-1'],
      ),
    ).toEqual([])
    const long =
      'Classify the sentiment of the following review as positive, negative or neutral. Answer with one word. Review: '
    expect(
      find(
        [`${long}I love this phone, the battery lasts for days.`, 'positive'],
        [`${long}Great camera and a bright screen.`, 'positive'],
        [`${long}The delivery was quick and the seller kind.`, 'positive'],
        [`${long}It broke after a week.`, 'negative'],
      ),
    ).toEqual([])
  })
})

describe('variants of a template', () => {
  const stories = (cases: Partial<TestCase>[]) => ({
    name: 'S',
    testCases: [
      ...cases.map((more, index) =>
        makeCase(
          `apples-${index}`,
          `Anna has ${7 * index} apples in a box and gives ${index} to a friend. How many apples are left in the box?`,
          `${6 * index}`,
          more,
        ),
      ),
      ...['Who wrote Faust?', 'Is a whale a fish?', 'Name the longest river of Africa.', 'What is HTTP?'].map(
        (prompt, index) => makeCase(`other-${index}`, prompt, `x${index}`),
      ),
    ],
  })
  it('are found as reports find them, with their groups to keep', () => {
    const { findings, templates } = checkSuite(stories([{}, {}, {}, {}]), [])
    expect(findings).toEqual([])
    expect(templates).toMatchObject({ groups: [['apples-0', 'apples-1', 'apples-2', 'apples-3']] })
    expect(templates!.sentence).toContain('4 of 8 cases look like variants of 1 template')
    expect(templates!.evidence[0]).toMatch(/^apples-0, apples-1 and 2 others: “Anna has 0 apples/)
  })
  it('are not looked for in a suite that names clusters; cases of one cluster are no duplicates', () => {
    expect(checkSuite(stories([{ cluster: 'a' }, {}, {}, {}]), []).templates).toBeUndefined()
    const twice = (cluster?: string) =>
      kindsOf(
        checkSuite(
          {
            name: 'S',
            testCases: ['c0', 'c1'].map((id) => makeCase(id, 'Who wrote Faust?', 'Goethe', cluster ? { cluster } : {})),
          },
          [],
        ),
      )
    expect([twice(), twice('faust')]).toEqual([['near-duplicate c0+c1'], []])
  })
})

describe('a method that does not fit', () => {
  it('is found by answers that give the expected number in other words, unless they pass', () => {
    const testCases = [makeCase('pi', 'Pi?', '3.14159'), ...cleanCases]
    const check = (text: string, passed: boolean) =>
      kindsOf(
        checkSuite({ name: 'S', testCases }, [
          makeRun(testCases, ({ id }) => (id === 'pi' ? { passed, text } : { passed: true, text: 'x' }), [
            'a',
            'b',
            'c',
          ]),
        ]),
      ).filter((kind) => !kind.startsWith('ceiling'))
    expect(check('It is about 3.1416.', false)).toEqual(['method-mismatch pi'])
    expect(check('3.14159', true)).toEqual([])
    expect(check('It is 22/7 = 3', false)).not.toContain('method-mismatch pi')
  })
  it('is not one for a text that the prompt asks to repeat', () => {
    const text = 'word '.repeat(60).trim()
    expect(checkSuite({ name: 'S', testCases: [makeCase('a', `Repeat: ${text}`, text)] }, []).findings).toEqual([])
  })

  const check = (scoringMethod: string, expectedOutput: string) =>
    checkSuite({ name: 'S', testCases: [makeCase('a', 'Question', expectedOutput, { scoringMethod })] }, []).findings
      .length
  it.each([
    ['exact-match', '/^yes$/i'],
    ['exact-match', '.*Paris.*'],
    ['exact-match', String.raw`^[a-z]+@[a-z]+\.com$`],
    ['boolean', '(yes|no) it (is|was)'],
    ['exact-match', 'Paris|Lyon'],
    ['exact-match', '{"a": 1, "b": [2]}'],
    ['exact-match', 'Must mention the Treaty of Versailles and its date.'],
    ['exact-match', 'word '.repeat(80)],
    ['boolean', 'no'],
    ['regex-match', '.*'],
    ['regex-match', '(Paris)?'],
  ])('%s with %j is found', (method, expected) => expect(check(method, expected)).toBe(1))
  it.each([
    ['exact-match', 'Paris'],
    ['exact-match', '42'],
    ['exact-match', 'To be, or not to be: that is the question.'],
    ['exact-match', 'C:\\data\\file.txt'],
    ['exact-match', 'a || b'],
    ['exact-match', '[Paris'],
    ['boolean', 'yes'],
    ['boolean', '42'],
    ['boolean', '7'],
    ['regex-match', '^\\d+$'],
    ['regex-match', '^(yes)?$'],
    ['boolean', 'Please repeat: the quick brown fox'],
    ['regex-match', '/paris/i'],
    ['json-match', '{"a": 1}'],
    ['llm-judge', 'Must mention rain.'],
    ['numeric-tolerance', '4'],
  ])('%s with %j is fine', (method, expected) => expect(check(method, expected)).toBe(0))
})
