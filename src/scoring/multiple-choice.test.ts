import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { compareChoice, multipleChoice } from './multiple-choice.ts'

const choices = ['Rome', 'Paris', 'Madrid']

describe('multiple choice', () => {
  it.each([
    'B',
    'B.',
    '(B)',
    '**B**',
    ' B) ',
    'B) Paris',
    'B. Paris',
    'B: Paris',
    '**B) Paris**',
    '[B] Paris',
    'The answer is B.',
    'Answer: B',
    '**Answer:** B',
    '**Answer: B**',
    'The correct answer is (B).',
    'answer is option B',
    'Option A is wrong, so the answer is clearly B',
    'I would choose B, because A is in Italy.',
    String.raw`Therefore \boxed{B}`,
    String.raw`\boxed{\text{B}}`,
    'Rome is in Italy.\n\nB',
    'A is in Italy. C is in Spain. Answer: B',
    'Answer: A. No, wait. Answer: B',
    'It must be Paris.',
  ])('reads B from %j', (response) => expect(compareChoice(response, 'B', { choices })).toMatchObject({ score: 1 }))

  it.each([
    'A',
    'A cat sat on B',
    'The answer is a good one.',
    'Rome or Paris',
    '',
    'Answer: A and B',
    'Bravo',
    'b is for ball',
  ])('does not read B alone from %j', (response) =>
    expect(compareChoice(response, 'B', { choices })).toMatchObject({ score: 0 }),
  )
  it('needs all of several letters, in any order', () => {
    expect(compareChoice('C, A', 'A, C').score).toBe(1)
    expect(compareChoice('Answer: A and C', 'A,C').score).toBe(1)
    expect(compareChoice('A', 'A, C').score).toBe(0)
  })
  it('rejects an expected output that is not a letter, or is after the last choice', () => {
    expect(compileAlone(multipleChoice, 'Paris', { choices }).problems[0]?.message).toContain('needs a letter')
    expect(compileAlone(multipleChoice, 'D', { choices }).problems[0]?.message).toContain('after the last choice, C')
    expect(compileAlone(multipleChoice, 'b', { choices }).problems).toEqual([])
  })
  it('reads long texts in linear time', () => {
    expect(compareChoice(`${'answer is the option '.repeat(50_000)}B`, 'B').score).toBe(1)
    expect(compareChoice('((((****'.repeat(100_000), 'B').score).toBe(0)
  })
})
