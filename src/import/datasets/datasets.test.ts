import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TestCase } from '../../contract/index.ts'
import { createScoring } from '../../scoring/index.ts'
import { importSuite } from '../suite-files/recognise-suite.ts'
import { parseSuite } from '../suite-files/read-yaml.ts'
import { writeSuiteYaml } from '../suite-files/write-suite.ts'
import { code } from './recipes/code.ts'
import { recipes } from './recipes.ts'
import { readDatasetRows } from './rows/read-rows.ts'
import { answerFiles, openFiles } from './testing/answer-files.ts'
import { choiceFiles } from './testing/choice-files.ts'
import { furtherAnswerFiles, furtherChoiceFiles } from './testing/further-files.ts'
import { otherAnswerFiles, otherChoiceFiles, otherOpenFiles } from './testing/other-files.ts'
import { textOf, type SampleFile } from './testing/sample-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-datasets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const scoring = createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: () => 0.5 })

async function importSample(sample: SampleFile) {
  const path = join(folder, sample.file)
  writeFileSync(path, textOf(sample))
  return importSuite(path)
}

function promptOf({ prompt, messages = [] }: TestCase): string {
  return prompt ?? messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')
}

/** `=Saturn` names an option by its text: the letter depends on the order that the import chose. */
function letterOf(answer: string, testCase: TestCase): string {
  if (!answer.startsWith('=')) return answer
  const line = promptOf(testCase)
    .split('\n')
    .find((text) => /^[A-Z]\) /.test(text) && text.slice(3) === answer.slice(1))
  if (line === undefined) throw new Error(`${testCase.id} has no option ${answer}`)
  return line[0]!
}

/** As models write answers. */
function phrase(testCase: TestCase, answer: string): string[] {
  switch (testCase.scoringMethod) {
    case 'multiple-choice': {
      const letter = letterOf(answer, testCase)
      return [
        letter,
        `Therefore the answer is **(${letter})**.`,
        `Let us see. The first thing to note is this.\n\nAnswer: ${letter}`,
        `$\\boxed{${letter}}$`,
      ]
    }
    case 'math':
      return [
        `$\\boxed{${answer}}$`,
        `We get it step by step.\n\nThe answer is $${answer}$.`,
        `So it is **${answer}**`,
      ].slice(0, 2)
    default:
      return [
        answer,
        `${answer}.`,
        `**${answer}**`,
        `The answer is **${answer}**.`,
        `I thought about it.\n\nAnswer: ${answer}`,
      ]
  }
}

async function scoreOf(testCase: TestCase, response: string): Promise<number> {
  return (await scoring.scoreResponse(testCase, { response })).score
}

describe.each([
  ...choiceFiles,
  ...otherChoiceFiles,
  ...furtherChoiceFiles,
  ...answerFiles,
  ...otherAnswerFiles,
  ...furtherAnswerFiles,
])('$of', (sample) => {
  it(`is read as ${sample.recipe}, a perfect model gets 100, a wrong one 0`, async () => {
    const { suite, dataset } = await importSample(sample)
    expect(dataset?.recipe).toBe(sample.recipe)
    for (const text of sample.shows) expect(promptOf(suite.testCases[0]!)).toContain(text)
    expect(suite.testCases).toHaveLength(sample.answers!.length)
    for (const [index, testCase] of suite.testCases.entries()) {
      const [right, wrong] = sample.answers![index]!
      for (const response of phrase(testCase, right))
        expect({ response, score: await scoreOf(testCase, response) }).toEqual({ response, score: 1 })
      for (const response of phrase(testCase, wrong))
        expect({ response, score: await scoreOf(testCase, response) }).toEqual({ response, score: 0 })
    }
    // The suite is the same after it was written and read.
    expect(parseSuite(writeSuiteYaml(suite), 'suite.yaml').suite).toEqual(suite)
  })
})

/** Scored by a judge or by running code: what is asked is looked at here, not scored. */
it.each([...openFiles, ...otherOpenFiles])('$of is read as $recipe', (sample) => {
  const { rows, fields } = readDatasetRows(textOf(sample), sample.file)!
  const recipe = recipes.find(({ recognises }) => recognises(fields, rows))!
  expect(recipe.name).toBe(sample.recipe)
  const { prompt, messages } = recipe.toCase(rows[0]!)
  const asked = typeof prompt === 'string' ? prompt : JSON.stringify(messages)
  for (const text of sample.shows) expect(asked).toContain(text)
})

it('MBPP is solved if all its tests pass, HumanEval calls its check', () => {
  const casesOf = (file: string) => {
    const sample = openFiles.find((one) => one.file === file)!
    return code.toCase(readDatasetRows(textOf(sample), file)!.rows[0]!)
  }
  expect(casesOf('mbpp.jsonl')).toMatchObject({
    language: 'python',
    entryPoint: 'double',
    tests: 'assert double(2) == 4\nassert double(0) == 0',
  })
  expect(casesOf('humaneval.jsonl')).toMatchObject({
    entryPoint: 'double',
    tests: expect.stringMatching(/check\(double\)$/),
  })
})

it('the function of HumanEval-X is in its prompt', () => {
  const row = {
    task_id: 'JavaScript/0',
    prompt: '/* Adds. */\nconst add = (a, b) => {\n',
    canonical_solution: '  return a + b\n}\n',
    test: 'const testAdd = () => {\n  console.assert(add(1, 2) === 3)\n}\ntestAdd()\n',
  }
  const { rows } = readDatasetRows(JSON.stringify(row), 'x.jsonl')!
  expect(code.toCase(rows[0]!)).toMatchObject({ language: 'javascript', entryPoint: 'add' })
})

it('words that an answer must contain are checked one by one, whatever stands beside them', async () => {
  const path = join(folder, 'keywords.jsonl')
  const rows = [
    {
      question: 'Who founded it?',
      reference_answer: 'Ann Lee and Bo.',
      must_contain: ['Lee', '14'],
      must_not_contain: ['Cy'],
    },
    { question: 'Which formats?', required_fact_groups: [['text', 'plain text'], ['PDF']], gold: ['page/2'] },
    { question: 'What is the revenue?', reference_answer: 'It is not said.', must_contain: [] },
  ]
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  const { suite, dataset } = await importSuite(path)
  expect(dataset).toMatchObject({ recipe: 'keywords', scoringMethods: ['regex-match', 'llm-judge'] })
  const passed = (index: number, response: string) =>
    suite.testCases[index]!.checks!.map(({ expectedOutput }) => {
      const [, source = '', flags] = /^\/(.*)\/(\w+)$/.exec(expectedOutput!)!
      return new RegExp(source, flags).test(response)
    })
  expect(passed(0, 'It was founded by Ann LEE, 14 years ago.')).toEqual([true, true, true])
  expect(passed(0, 'By Ann Lee in 2014.')).toEqual([true, false, true])
  expect(passed(0, 'By Cy.')).toEqual([false, false, false])
  expect(passed(1, 'Plain text, and pdf.')).toEqual([true, true])
  expect(passed(1, 'PDF')).toEqual([false, true])
  expect(suite.testCases[2]).toMatchObject({ scoringMethod: 'llm-judge', expectedOutput: 'It is not said.' })
})

it('every recipe has a sample file', () => {
  const tried = new Set(
    [...choiceFiles, ...answerFiles, ...openFiles, ...otherChoiceFiles, ...otherOpenFiles].map(({ recipe }) => recipe),
  ).add('keywords')
  expect(recipes.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
})
