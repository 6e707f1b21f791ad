import { expect, it } from 'vitest'
import { testCaseSchema } from '../contract/index.ts'
import { scorers } from './scorers.ts'

it.each(scorers.map((scorer) => [scorer.name, scorer] as const))(
  '%s has no option with the same name as a field of test cases',
  (_name, { options }) => {
    expect(Object.keys(options.shape).filter((option) => Object.hasOwn(testCaseSchema.shape, option))).toEqual([])
  },
)
