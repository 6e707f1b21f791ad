import type { Suite, TestCase } from '../../contract/index.ts'
import { compileCase, scorers, writeQuestions, type CompiledCheck } from '../../scoring/index.ts'
import { formatCount } from '../words/numbers.ts'
import { quote, type Finding } from './finding.ts'

/** Methods that compare an answer with the key, so that the key itself must pass. */
const COMPARED = new Set(['exact-match', 'numeric-tolerance', 'multiple-choice', 'math', 'text-overlap', 'json-match'])
/** A longer key is a sentence: nobody answers a question with those very words. */
const MOST_WORDS = 20
/** Longer texts would take too long for a check of the whole suite. */
const LONGEST = 20_000

/** What the method makes of its own key; undefined if that takes a model or a thread. */
function scoreKey({ scorer, expectedOutput, options }: CompiledCheck, prompt: string): number | undefined {
  if (expectedOutput === undefined || expectedOutput.length > LONGEST) return undefined
  const input = { response: expectedOutput, expectedOutput, prompt }
  if (scorer.isSlow?.(input, options)) return undefined
  try {
    const result = scorer.score(input, options, {
      judging: { judgeModelIds: [], callModel: () => Promise.reject(new Error('no model is asked')) },
      random: () => 0,
    })
    return 'score' in result ? result.score : undefined
  } catch {
    // A key that its own method cannot read.
    return 0
  }
}

function findFailingKey(check: CompiledCheck, testCase: TestCase, prompt: string): Finding | undefined {
  const { scorer, expectedOutput = '' } = check
  const score = COMPARED.has(scorer.name) ? scoreKey(check, prompt) : undefined
  if (score === undefined || score >= Math.min(scorer.passAt, 1)) return undefined
  return {
    kind: 'key-fails',
    caseIds: [testCase.id],
    sentence: `${testCase.id} cannot be passed: its own expected output, given as the answer, fails ${scorer.name}.`,
    evidence: [`Expected output: ${quote(expectedOutput)}`],
  }
}

/** Options that a model has to choose from and never sees. */
function findHiddenOptions({ scorer, options }: CompiledCheck, { id }: TestCase, prompt: string): Finding | undefined {
  const choices = scorer.name === 'multiple-choice' ? options['choices'] : undefined
  if (!Array.isArray(choices)) return undefined
  const shown = prompt.replaceAll(/\s+/g, ' ')
  const hidden = choices.filter((choice) => !shown.includes(String(choice).replaceAll(/\s+/g, ' ').trim()))
  if (hidden.length === 0) return undefined
  return {
    kind: 'hidden-options',
    caseIds: [id],
    sentence: `${id} does not show ${hidden.length === choices.length ? 'its options' : `${formatCount(hidden.length)} of its ${formatCount(choices.length, 'option')}`} in the prompt, so a model can only guess.`,
    evidence: hidden.slice(0, 3).map((choice) => `Not in the prompt: ${quote(String(choice))}`),
  }
}

/** Without options of its own, a case asks for a letter of its prompt: one that stands nowhere in it names nothing. */
function findMissingOptions(
  { scorer, options, expectedOutput = '' }: CompiledCheck,
  { id, messages = [] }: TestCase,
  prompt: string,
) {
  const letter = /[A-Z]/i.exec(expectedOutput)?.[0].toUpperCase()
  if (scorer.name !== 'multiple-choice' || options['choices'] !== undefined || letter === undefined) return undefined
  // An image may show them.
  if (messages.some(({ content }) => typeof content !== 'string')) return undefined
  if (new RegExp(String.raw`(?<![\p{L}\p{N}])${letter}(?![\p{L}\p{N}])`, 'u').test(prompt)) return undefined
  return {
    kind: 'hidden-options',
    caseIds: [id],
    sentence: `${id} expects the letter ${letter}, and its prompt shows no options with letters, so a model can only guess.`,
    evidence: [`Prompt: ${quote(prompt)}`],
  } satisfies Finding
}

function findExplanation({ scorer, expectedOutput = '', options }: CompiledCheck, { id }: TestCase, prompt: string) {
  const words = expectedOutput.split(/\s+/).filter((word) => word !== '').length
  const isMatched = scorer.name === 'text-overlap' && options['metric'] === 'normalized-match'
  if (!isMatched || words <= MOST_WORDS || prompt.includes(expectedOutput)) return undefined
  return {
    kind: 'method-mismatch',
    caseIds: [id],
    sentence: `${id} is scored by ${scorer.name}, which does not fit its expected output: it has ${formatCount(words, 'word')}, as an explanation has, and no answer repeats them one by one; llm-judge compares what is meant.`,
    evidence: [`Expected output: ${quote(expectedOutput)}`],
  } satisfies Finding
}

/** Cases that even a perfect answer loses, or that do not show what they ask for. */
export function findLostCases({ testCases, variants }: Suite): Finding[] {
  return testCases.flatMap((testCase) => {
    const prompt = writeQuestions(testCase) ?? ''
    return compileCase(testCase, scorers).checks.flatMap((check) =>
      [
        findFailingKey(check, testCase, prompt),
        findHiddenOptions(check, testCase, prompt),
        ...(variants === undefined ? [findMissingOptions(check, testCase, prompt)] : []),
        findExplanation(check, testCase, prompt),
      ].flatMap((finding) => finding ?? []),
    )
  })
}
