import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { compareChoice, findOptions, multipleChoice } from './multiple-choice.ts'

const choices = ['Rome', 'Paris', 'Madrid']

/** The score, or why there is none. */
function read(response: string, expected = 'B', options: Parameters<typeof compareChoice>[2] = { choices }) {
  try {
    return compareChoice(response, expected, options).score
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('multiple choice', () => {
  it.each([
    'B',
    'b',
    'B.',
    '(B)',
    '(b)',
    '**B**',
    ' B) ',
    'B) Paris',
    'b) Paris',
    'B. Paris',
    'B: Paris',
    '**B) Paris**',
    '[B] Paris',
    'The answer is B.',
    'The answer is b.',
    'Answer: B',
    '**Answer:** B',
    '**Answer: B**',
    'The correct answer is (B).',
    'The correct answer is (B) Paris',
    'The correct answer is **(B)**.',
    'The correct answer is option **B**: Paris.',
    'answer is option B',
    'Option B',
    'Option A is wrong, so the answer is clearly B',
    'I would choose B, because A is in Italy.',
    'Therefore, B.',
    'Thus, the answer is **B**.',
    'Hence (B).',
    'So it must be B.',
    'Option B is correct.',
    '(B) is the correct answer, because A is in Italy.',
    'A is in Italy. B is the right choice.',
    '{"answer":"B"}',
    '{"reasoning": "A is in Italy", "answer": "B"}',
    '```json\n{"answer": "B) Paris"}\n```',
    '{"answer": "Paris"}',
    '<answer>B</answer>',
    '<answer>\n(B) Paris\n</answer>',
    '<think>Could it be A? The answer is A? No.</think>\nB',
    '答案：B',
    '答案是B。',
    '正确答案是 B，因为巴黎是首都。',
    '因此，选B。',
    '故选 B',
    '正解は B です。',
    '정답: B',
    'La respuesta correcta es la opción B',
    'La réponse est (B).',
    'Die Antwort ist B.',
    'Ответ: B',
    '（B）',
    String.raw`Therefore \boxed{B}`,
    String.raw`\boxed{\text{B}}`,
    String.raw`$\boxed{\textbf{(B)}\ \text{Paris}}$`,
    String.raw`The answer is $\boxed{\text{(B) Paris}}$`,
    'Rome is in Italy.\n\nB',
    'A is in Italy. C is in Spain. Answer: B',
    'Answer: A. No, wait. Answer: B',
    'First I said the answer is A, but the answer is B.',
    'The answer is not A but B.',
    'It must be Paris.',
    'The capital of France is Paris.',
    'I think it is Paris, not Rome.',
    '#### B',
  ])('reads B from %j', (response) => expect(read(response)).toBe(1))

  it.each(['A', 'Answer: C', 'The answer is A because it is large.', 'I choose C', 'It is Rome.', 'A. Rome', 'D'])(
    'scores the other option in %j with 0',
    (response) => expect(read(response)).toBe(0),
  )

  it.each([
    'Answer: A and B',
    'B or C',
    'The answer is B or C.',
    'Either B or C',
    'A/B',
    '<answer>A, B</answer>',
    'Answer: (A) or (B)',
    'The answer could be A or B',
  ])('leaves %j unscored: it does not say which', (response) => expect(read(response)).toBe('answer-unclear'))

  it.each([
    'A cat sat on B',
    'The answer is a good one.',
    'The answer is A good one.',
    'Rome or Paris',
    'It is not Paris',
    '',
    'Bravo',
    'b is for ball',
    'I do not know.',
    'I am not sure about this question.',
    'Sorry, I cannot help with that.',
    'The answer is I think unclear.',
  ])('finds no option in %j', (response) => expect(read(response)).toBe('no-answer'))

  it('reads up to 26 options, and I only where it is a letter', () => {
    expect(read('The answer is (J).', 'J', {})).toBe(1)
    expect(read('Answer: I', 'I', {})).toBe(1)
    expect(read('I believe the answer is Z.', 'Z', {})).toBe(1)
    expect(read('I', 'I', {})).toBe(1)
  })
  it('takes the options from the prompt if the case has none', () => {
    const prompt = 'Which?\n\nA) 5\nB) 15\nC. 25\n\nAnswer with the letter.'
    expect(findOptions(prompt)).toEqual(['5', '15', '25'])
    const score = (response: string) =>
      multipleChoice.score(
        { prompt, response, expectedOutput: 'B' },
        { answer: 'last' },
        { judging: undefined!, random: () => 0 },
      )
    expect(score('It is 15.')).toMatchObject({ score: 1 })
    expect(score('It is 5.')).toMatchObject({ score: 0 })
    expect(() => score('It is 155.')).toThrow('names no option')
  })
  it('does not take an option for a longer one that contains it', () => {
    expect(read('It is in Paris, Texas.', 'B', { choices: ['Paris', 'Paris, Texas'] })).toBe(1)
  })
  it('needs all of several letters, in any order', () => {
    expect(read('C, A', 'A, C', {})).toBe(1)
    expect(read('Answer: A and C', 'A,C', {})).toBe(1)
    expect(read('A', 'A, C', {})).toBe(0)
    expect(read('A or C', 'A, C', {})).toBe('answer-unclear')
  })
  it('may take any conclusion, or only the whole response', () => {
    expect(read('Answer: B. Hm. Answer: A', 'B', { answer: 'any' })).toBe(1)
    expect(read('The answer is B', 'B', { answer: 'whole' })).toBe('no-answer')
    expect(read('B.', 'B', { answer: 'whole' })).toBe(1)
  })
  it('rejects an expected output that is not a letter, or is after the last choice', () => {
    expect(compileAlone(multipleChoice, 'Paris', { choices }).problems[0]?.message).toContain('needs a letter')
    expect(compileAlone(multipleChoice, 'D', { choices }).problems[0]?.message).toContain('after the last choice, C')
    expect(compileAlone(multipleChoice, 'b', { choices }).problems).toEqual([])
    expect(compileAlone(multipleChoice, '(B)', { choices }).problems).toEqual([])
  })
  it('reads long texts in linear time', () => {
    expect(read(`${'answer is the option '.repeat(50_000)}B`)).toBe(1)
    expect(read('((((****'.repeat(100_000))).toBe('no-answer')
    for (const part of ['A ', 'choose ', 'therefore, ', '选', 'Option B is ', 'so it is the option '])
      expect(read(part.repeat(20_000), 'Z', {})).not.toBe(1)
  })
})

describe('several right options', () => {
  it.each(['ACD', '(ACD)', 'Answer: ACD', '$\\boxed{ACD}$', '答案：ACD', 'A, C and D', 'The answer is **ACD**.'])(
    'written as %s',
    (response) => {
      expect(compareChoice(response, 'A, C, D', { choices: ['one', 'two', 'three', 'four'] }).score).toBe(1)
      expect(compareChoice(response, 'A, C', { choices: ['one', 'two', 'three', 'four'] }).score).toBe(0)
    },
  )
  it('is not what an option with such a text means', () => {
    expect(compareChoice('The answer is AC', 'B, C', { choices: ['AB', 'AC', 'BC'] }).score).toBe(0)
  })
})

describe('in other languages, and said otherwise', () => {
  it.each([
    'A resposta correta é a letra B.',
    '正解はBです。',
    '答えはBです',
    '정답은 B입니다.',
    'सही उत्तर B है',
    'Doğru cevap B',
    'คำตอบคือ B',
    '选项B正确',
    '【答案】B',
    'My final choice: B',
    'The option that fits is B.',
  ])('%s is B', (response) => {
    expect(compareChoice(response, 'B').score).toBe(1)
    expect(compareChoice(response, 'C').score).toBe(0)
  })
  it('both B and C leave it open', () => {
    expect(() => compareChoice('Both B and C are correct.', 'C')).toThrow(/B and C/)
  })
})

describe('an answer that is the text of an option', () => {
  const statements = ['I only', 'II only', 'I and II', 'I was there', 'A DNA sequence', 'w']
  it.each([
    ['The answer is I only.', 'A'],
    ['The answer is I and II.', 'C'],
    ['The answer is I was there.', 'D'],
    ['The correct answer is **A DNA sequence**.', 'E'],
    ['The answer is w.', 'F'],
    ['\\boxed{I and II}', 'C'],
    ['The answer is I and II. Therefore, B.', 'B'],
  ])('%s is %s', (response, letter) => {
    expect(read(response, letter, { choices: statements })).toBe(1)
    expect(read(response, letter === 'A' ? 'B' : 'A', { choices: statements })).toBe(0)
  })
  it('is a letter where the letter is that of an option', () => {
    expect(read('The answer is B.', 'B', { choices: ['C', 'D', 'B'] })).toBe(1)
  })
})

describe('letters as models write them', () => {
  it.each([
    '`B`',
    "The answer is 'B'",
    '-> B',
    '=> **B**',
    'Ans: B',
    'Result: B',
    'Solution: B',
    'Selected option: B',
    'Correct: B',
    'La opción correcta es B',
    'A alternativa correta é B',
    'Ответ — B',
    'A. Incorrect\nB. Correct\nC. Incorrect',
    '**B) Paris**\n\nRome is the capital of Italy, so A is wrong.',
    'B. Therefore C is not right.',
    '**B**\n\nThis is because Rome is not in France.',
    'B\n\nParis is the capital of France, unlike A (Rome) and C (Madrid).',
    'B, because A is wrong.',
    'B since it is in France',
    'B is my answer.',
    'B is the answer, not A.',
    'I am torn between B and C, but B is better.',
    'Eliminate A and C. That leaves B.',
    'A and C are in other countries, leaving B.',
    'The only remaining option is B.',
    '```\nB\n```',
    'The answer could be B.',
    'Not Rome; Paris.',
    'Not Rome but Paris.',
  ])('%j is B', (response) => {
    expect(read(response)).toBe(1)
    expect(read(response, 'C')).toBe(0)
  })
  it('an option before its reason may be A, and one of a list is not the answer', () => {
    expect(read('A because it is so', 'A')).toBe(1)
    expect(read('A\nBecause it is so.', 'A')).toBe(1)
    expect(read('A\nB\nC: these are the options.')).toBe('no-answer')
    expect(read('Not Paris, Rome or Madrid')).toBe('no-answer')
  })
  it('two options named with their texts leave it open', () => {
    expect(read('A) Rome and C) Madrid', 'A')).toBe('answer-unclear')
  })
  it.each(['A; C', 'A C', '- A\n- C', 'A) Rome and C) Madrid', 'Rome and Madrid', 'The answer is Rome and Madrid.'])(
    '%j is A and C where several are right',
    (response) => {
      expect(read(response, 'A, C')).toBe(1)
      expect(read(response, 'A, B')).toBe(0)
    },
  )
})
