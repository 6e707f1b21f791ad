import { expect, it } from 'vitest'
import { readSeenNames, writeSeenNames } from './names-seen.ts'

it('tells the last runs apart, whatever their ids are, in a header that is not too long', () => {
  // Ids begin with the time.
  const ids = Array.from({ length: 1000 }, (_, index) => `20260101-1200${String(index).padStart(4, '0')} ü`)
  const header = writeSeenNames(ids)
  expect(header.length).toBeLessThanOrEqual(6000)
  const hasSeen = readSeenNames(header)
  expect(ids.filter(hasSeen)).toEqual(ids.slice(-ids.filter(hasSeen).length))
  expect(ids.filter(hasSeen).length).toBeGreaterThan(100)
  expect(['20260101-12000999', '', ids[0]!].some(hasSeen)).toBe(false)
  expect(readSeenNames(undefined)('')).toBe(false)
})
