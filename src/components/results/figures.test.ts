import { describe, expect, it } from 'vitest'
import { defaultParameters } from '../../contract/index.ts'
import { cellMark, describeParameters, formatFigure, joinWords } from './figures.ts'

describe('formatFigure', () => {
  it('shows what does not exist as a dash and a minus as a minus', () => {
    expect([null, undefined, Number.NaN, Infinity].map((value) => formatFigure(value))).toEqual(['–', '–', '–', '–'])
    expect(formatFigure(-1.234)).toBe('−1.23')
    expect(formatFigure(3, 0)).toBe('3')
  })
})

describe('cellMark', () => {
  it('says in a word what an ordinary answer does not need', () => {
    expect(cellMark({ state: 'scored', outcome: 'ok' })).toBeUndefined()
    expect(cellMark({ state: 'scored', outcome: 'truncated' })).toBe('cut off')
    expect(cellMark({ state: 'unscored', outcome: 'ok' })).toBe('unscored')
    expect(cellMark({ state: 'error', outcome: 'timeout' })).toBe('timeout')
    expect(cellMark({ state: 'error' })).toBe('error')
    expect(cellMark({ state: 'partly', outcome: 'ok' })).toBe('some missing')
    expect(cellMark({ state: 'pending' })).toBe('waiting')
  })
})

describe('describeParameters', () => {
  it('names what differs from the defaults, and what Benchmark Mode locks only as such', () => {
    expect(describeParameters(defaultParameters)).toBe('temperature 0.7, at most 2,048 tokens')
    expect(describeParameters({ ...defaultParameters, benchmarkMode: true, frequencyPenalty: 1 })).toBe(
      'Benchmark Mode (temperature 0), at most 2,048 tokens',
    )
    expect(describeParameters({ ...defaultParameters, topP: 0.9, presencePenalty: 0.5 })).toBe(
      'temperature 0.7, top-p 0.9, at most 2,048 tokens, presence penalty 0.5',
    )
  })
})

it('joins words as one says them', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['', 'a', 'a and b', 'a, b and c'])
})
