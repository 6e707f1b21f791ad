import { expect, it } from 'vitest'
import { createAttemptLimit } from './attempt-limit.ts'

it('a whole office signs in from one address; guesses from it still end', () => {
  const limit = createAttemptLimit(() => 0)
  for (let person = 0; person < 100; person++) {
    const login = `person-${person}`
    expect(limit.mayTry('192.0.2.1', login)).toBe(true)
    limit.noteFailure('192.0.2.1', login)
    limit.noteSuccess('192.0.2.1', login)
  }
  for (let guess = 0; guess < 30; guess++) limit.noteFailure('192.0.2.1', `guess-${guess}`)
  expect(limit.mayTry('192.0.2.1', 'person-1')).toBe(false)
  expect(limit.mayTry('192.0.2.2', 'person-1')).toBe(true)
})

it('the addresses of one IPv6 network count together, IPv4 addresses written as IPv6 ones do not', () => {
  const limit = createAttemptLimit(() => 0)
  for (let guess = 0; guess < 5; guess++) {
    limit.noteFailure(`2001:db8:1:2::${guess}`, 'ada')
    limit.noteFailure('::ffff:192.0.2.1', 'grace')
  }
  expect(limit.mayTry('2001:db8:1:2:ffff::1', 'ada')).toBe(false)
  expect(limit.mayTry('2001:db8:1:3::1', 'ada')).toBe(true)
  expect(limit.mayTry('::ffff:192.0.2.2', 'grace')).toBe(true)
})

it('attempts count for a quarter of an hour', () => {
  let now = 0
  const limit = createAttemptLimit(() => now)
  for (let guess = 0; guess < 5; guess++) limit.noteFailure('192.0.2.1', 'ada')
  expect(limit.mayTry('192.0.2.1', 'ada')).toBe(false)
  now += 15 * 60_000
  expect(limit.mayTry('192.0.2.1', 'ada')).toBe(true)
})
