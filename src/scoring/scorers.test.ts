import { expect, it } from 'vitest'
import { INSTRUCTIONS, passMarkOfMethod, testCaseSchema } from '../contract/index.ts'
import { scorers } from './scorers.ts'

it.each(scorers.map((scorer) => [scorer.name, scorer] as const))(
  '%s has no option with the same name as a field of test cases',
  (name, { options }) => {
    const taken = Object.keys(options.shape).filter((option) => Object.hasOwn(testCaseSchema.shape, option))
    // The checks of a case are the instructions of this method.
    expect(taken).toEqual(name === INSTRUCTIONS ? ['checks'] : [])
  },
)

it.each(scorers.map((scorer) => [scorer.name, scorer.passAt] as const))(
  '%s passes from %s, as the statistics of stored runs assume',
  (name, passAt) => {
    expect(passAt).toBe(passMarkOfMethod(name))
  },
)
