import { describe, expect, it } from 'vitest'
import { testCaseFields } from '../contract/index.ts'
import { localScorers, scorers } from './scorers.ts'

describe.each(localScorers.map((scorer) => [scorer.name, scorer] as const))('%s', (_name, { options, usual }) => {
  it('takes for usual what its schema says of no options', () => {
    expect(usual).toEqual(options.safeParse({}).data)
  })
})

it.each(scorers.map((scorer) => [scorer.name, scorer] as const))(
  '%s has no option that is called like a field of a test case',
  (_name, { options }) => {
    expect(Object.keys(options.shape).filter((option) => testCaseFields.includes(option))).toEqual([])
  },
)
