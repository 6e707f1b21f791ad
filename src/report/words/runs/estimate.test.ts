import { expect, it } from 'vitest'
import { describeRunsNeeded } from './estimate.ts'

it('gives the number of runs that the methodology recommends (section 9)', () => {
  expect(describeRunsNeeded('1')).toContain('this suite: 1.')
  expect(describeRunsNeeded('3-5')).toContain('this suite: 3 to 5, because')
})
