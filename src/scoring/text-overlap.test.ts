import { describe, expect, it } from 'vitest'
import { compareOverlap, textOverlap } from './text-overlap.ts'
import { bleu, chrf, rougeL, wordF1 } from './text/overlap-measures.ts'
import { compileAlone } from './testing/compile-alone.ts'

const match = (response: string, accepted: string | string[], prompt?: string) =>
  compareOverlap(response, [accepted].flat(), { prompt }).score

describe('normalized-match', () => {
  it('a unit may stand beside its number or apart', () => {
    expect(match('5km', '5 km')).toBe(1)
    expect(match('It is 5 km.', '5km')).toBe(1)
    expect(match('51 km', '5 1 km')).toBe(0)
    expect(match('12 March 1999', 'March 12, 1999')).toBe(1)
  })
  it.each([
    'Paris',
    'paris.',
    '**Paris**',
    '*Paris*',
    '`Paris`',
    '"Paris"',
    ' Paris! ',
    'The answer is Paris.',
    'Answer: Paris',
    '**Answer:** Paris',
    'The answer is **Paris**. It is in France.',
    'The capital of France is Paris.',
    'It is Paris.',
    "It's Paris.",
    'Paris (France)',
    '<answer>Paris</answer>',
    '{"answer": "Paris"}',
    String.raw`\boxed{\text{Paris}}`,
    '答案是Paris。',
  ])('%j gives Paris', (response) => expect(match(response, 'Paris')).toBe(1))

  it.each([
    'Lyon',
    'It is not Paris.',
    'The answer is not Paris.',
    "It isn't Paris, it is Lyon.",
    'Paris or Lyon',
    'It is Paris or Lyon.',
    'Paris and Lyon',
    'Paris, Texas',
    'Parisian',
    'I do not know whether it is Paris.',
    'Not Paris',
    'The answer is Lyon, and Paris is wrong.',
    'Lyon is larger than Paris',
    '',
    '.',
  ])('%j does not', (response) => expect(match(response, 'Paris', 'Which is larger, Lyon or Paris?')).toBe(0))

  it('takes a sentence that repeats the question', () => {
    const prompt = 'Who received the IEEE Frank Rosenblatt Award in 2010?'
    const score = (response: string) => match(response, 'Michio Sugeno', prompt)
    expect(score('Michio Sugeno received the IEEE Frank Rosenblatt Award in 2010.')).toBe(1)
    expect(score('**Michio Sugeno** received the award in 2010.')).toBe(1)
    expect(score('John Hopfield received the IEEE Frank Rosenblatt Award in 2010, not Michio Sugeno.')).toBe(0)
    expect(score('Michio Sugeno never received the IEEE Frank Rosenblatt Award.')).toBe(0)
    expect(score('A student of Michio Sugeno received the award in 2010.')).toBe(0)
  })
  it.each<[string, string, number]>([
    ['1,000', '1000', 1],
    ['1 000', '1000', 1],
    ['$1,000', '1000', 1],
    ['1000.00', '1000', 1],
    ['7', 'seven', 1],
    ['50%', '50 percent', 1],
    ['3.5', '35', 0],
    ['-5', '5', 0],
    ['1/2', '12', 0],
    ['1,2,3', '123', 0],
    ['July 4, 1776', '4 July 1776', 1],
    ['1776-07-04', 'July 4th, 1776', 1],
    ['4 July 1777', 'July 4, 1776', 0],
    ['The Beatles', 'Beatles', 1],
    ['Sao Paulo', 'São Paulo', 1],
    ['北京。', '北京', 1],
    ['答案：北京', '北京', 1],
    ['上海', '北京', 0],
    ['Москва.', 'москва', 1],
    ['Yes, it is.', 'yes', 1],
    ['No, it is not.', 'yes', 0],
    ['C++', 'C', 0],
  ])('%j for %j scores %d', (response, accepted, score) => expect(match(response, accepted)).toBe(score))

  it('counts the best of several accepted answers', () => {
    expect(match('NYC', ['New York City', 'NYC'])).toBe(1)
    expect(
      textOverlap.score(
        { response: 'NYC', expectedOutput: 'New York' },
        { metric: 'normalized-match', accepted: ['NYC'] },
        undefined!,
      ),
    ).toMatchObject({ score: 1 })
  })
  it('needs an expected output or accepted answers', () => {
    expect(compileAlone(textOverlap, undefined).problems[0]?.message).toContain('needs an expected output')
    expect(compileAlone(textOverlap, undefined, { accepted: ['a'] }).problems).toEqual([])
  })
})

describe('measures', () => {
  // https://github.com/mjpost/sacrebleu#using-sacrebleu-from-python
  const responses = ['The dog bit the man.', "It wasn't surprising.", 'The man had just bitten him.']
  const references = [
    ['The dog bit the man.', 'The dog had bit the man.'],
    ['It was not unexpected.', 'No one was surprised.'],
    ['The man bit him first.', 'The man had bitten the dog.'],
  ]
  const corpus = responses.map((response, index) => ({ response, references: references[index]! }))

  it('BLEU of the example of sacreBLEU is 48.53, chrF2 59.73', () => {
    expect(100 * bleu(corpus)).toBeCloseTo(48.53, 2)
    expect(100 * chrf(corpus)).toBeCloseTo(59.73, 2)
  })
  it('ROUGE-L of the example of rouge_score has F .588', () => {
    expect(rougeL('The quick brown dog jumps on the log.', 'The quick brown fox jumps over the lazy dog')).toBeCloseTo(
      0.588235,
      6,
    )
  })
  it('F1 of the words of SQuAD', () => {
    // evaluate-v1.1.py: "the" is no word, 2 of 3 and 2 of 2 words are shared.
    expect(wordF1('the Denver Broncos team', 'Denver Broncos')).toBeCloseTo(0.8, 12)
    expect(wordF1('北京市', '北京')).toBeCloseTo(0.8, 12)
    expect(wordF1('', 'x')).toBe(0)
  })
  it('are 1 for the same text and 0 for nothing in common, in any script', () => {
    for (const text of ['The cat sat on the mat.', '今日はとても良い天気ですね。', 'Сегодня хорошая погода.', 'Hi'])
      for (const metric of ['f1', 'rouge-l', 'bleu', 'chrf'] as const) {
        expect(compareOverlap(text, [text], { metric }).score).toBeCloseTo(1, 12)
        expect(compareOverlap('zzz', [text], { metric }).score).toBe(0)
        expect(compareOverlap('', [text], { metric }).score).toBe(0)
      }
  })
  it('take the whole text of a translation, and the stated answer for F1', () => {
    expect(compareOverlap('The answer is blue.', ['The answer is blue.'], { metric: 'bleu' }).score).toBeCloseTo(1, 12)
    expect(compareOverlap('The answer is blue.', ['blue'], { metric: 'f1' }).score).toBe(1)
  })
})

describe('a sentence that repeats the question', () => {
  const matches = (response: string, accepted: string, prompt: string) =>
    compareOverlap(response, [accepted], { prompt }).score

  it.each([
    ['伏兔穴位于足阳明胃经上。', '足阳明胃经', '伏兔穴位于哪条经脉上？'],
    ['日本の首都は東京です。', '東京', '日本の首都は？'],
    ['東京です。', '東京', '日本の首都は？'],
    ['수도는 서울입니다.', '서울', '한국의 수도는 어디입니까?'],
    ['It was on December 14, 1972.', '14 December 1972', 'When was it?'],
    ['北京', '中国的首都是北京', '中国的首都是哪里？'],
    ['Lima', 'The capital of Peru is Lima.', 'What is the capital of Peru?'],
    [']]', '] ]', 'Close the brackets.'],
  ])('%s gives %s', (response, accepted, prompt) => expect(matches(response, accepted, prompt)).toBe(1))

  it.each([
    ['法国的首都不是巴黎。', '巴黎', '法国的首都是哪里？'],
    ['巴黎或里昂', '巴黎', '法国的首都是哪里？'],
    ['東京都', '京都', '日本の首都は？'],
    ['It is 5.', '-5', 'What is it?'],
    ['5', '-5', 'Which temperature?'],
    ['12,34', '1,234', 'How many?'],
    ['York', 'New York', 'Which new city?'],
    ['Peru', 'The capital of Peru is Lima.', 'What is the capital of Peru?'],
  ])('%s is not %s', (response, accepted, prompt) => expect(matches(response, accepted, prompt)).toBe(0))
})

describe('a short answer in the words of a model', () => {
  const score = (response: string, key: string, prompt?: string) => compareOverlap(response, [key], { prompt }).score
  it.each([
    ['Paris. It lies on the Seine.', 'Paris'],
    ['Paris\n\nParis is the capital and largest city.', 'Paris'],
    ['1. Paris', 'Paris'],
    ['In 1998', '1998'],
    ['It was in 1998.', '1998'],
    ['Approximately 42', '42'],
    ['J. K. Rowling', 'J.K. Rowling'],
    ['It was written by Jane Austen.', 'Jane Austen'],
    ['The book was first published in 1813.', '1813'],
    ['The capital of France is **Paris**, which lies on the Seine.', 'Paris'],
  ])('%j gives %j', (response, key) => {
    expect(score(response, key)).toBe(1)
    expect(score(response, 'Lyon')).toBe(0)
  })
  it.each([
    ['Paris? No, Lyon.', 'Paris'],
    ['Paris. Actually it is Lyon.', 'Paris'],
    ['Paris. No, wait: Lyon is right.', 'Paris'],
    ['Paris\nLyon\nNice', 'Paris'],
    ['It was not written by Jane Austen.', 'Jane Austen'],
    ['In 1999', '1998'],
    ['Paris, Texas', 'Paris'],
  ])('%j does not give %j', (response, key) => expect(score(response, key)).toBe(0))
})
