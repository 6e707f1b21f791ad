import { expect, it } from 'vitest'
import { groupFilter, listGroupings, readGrouping } from './groupings.ts'

it('offers only groupings that the cases have, and ignores others in the address', () => {
  const suite = { name: 'S', clusters: 4, cases: 3, categories: ['a'], tags: [], difficulties: ['easy'], methods: [] }
  expect(listGroupings(suite)).toEqual(['category', 'difficulty'])
  expect(listGroupings(undefined)).toEqual([])
  expect(readGrouping('tag', ['category'])).toBeUndefined()
  expect(readGrouping('category', ['category'])).toBe('category')
})

it('filters the cases by the group in the address, whatever characters its name has', () => {
  expect(groupFilter('category:a:b')).toEqual({ category: 'a:b' })
  expect(groupFilter('tag:')).toEqual({ tag: '' })
  expect(groupFilter('model:x')).toEqual({})
  expect(groupFilter(null)).toEqual({})
})
