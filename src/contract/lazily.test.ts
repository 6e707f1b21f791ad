import { expect, it } from 'vitest'
import { lazily } from './lazily.ts'

it('makes a value when it is first asked for, and only then', () => {
  let made = 0
  const value = lazily(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(value()).toBe(value())
  expect(made).toBe(1)
})
