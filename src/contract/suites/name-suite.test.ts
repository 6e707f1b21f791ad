import { expect, it } from 'vitest'
import { nameSuite } from './name-suite.ts'

it('names a suite after its file and counts cases that have no id', () => {
  expect(nameSuite({ testCases: [{ prompt: 'a' }, { id: 'own' }, { prompt: 'c' }] }, 'prices')).toEqual({
    name: 'prices',
    testCases: [{ id: 'case-1', prompt: 'a' }, { id: 'own' }, { id: 'case-3', prompt: 'c' }],
  })
})

it('leaves what is there, and never gives an id twice', () => {
  const named = { name: 'S', testCases: [{ id: 'a' }] }
  expect(nameSuite(named, 'file')).toBe(named)
  expect(nameSuite({ name: 'S', testCases: [{}, { id: 'case-1' }, { id: 'case-1-2' }] }, 'file')).toEqual({
    name: 'S',
    testCases: [{ id: 'case-1-3' }, { id: 'case-1' }, { id: 'case-1-2' }],
  })
})

it('leaves to others what is wrong: no suite, an empty name, an empty id', () => {
  expect(nameSuite([1], 'file')).toEqual([1])
  expect(nameSuite({ name: '', testCases: [{ id: '' }, 'text', null] }, 'file')).toEqual({
    name: '',
    testCases: [{ id: '' }, 'text', null],
  })
  expect(nameSuite({ testCases: 1 }, undefined)).toEqual({ testCases: 1 })
})
