import { describe, expect, it } from 'vitest'
import { ariaSort, isFiltered, nextColumnSort, readCaseQuery, sortChanges } from './case-query.ts'

const read = (text: string) => readCaseQuery(new URLSearchParams(text))

describe('readCaseQuery', () => {
  it('defaults to suite order and all cases', () => {
    expect(read('')).toEqual({ sort: 'order', order: 'asc', search: '', category: '', tag: '', state: 'all' })
  })

  it('ignores invalid values', () => {
    expect(read('sort=rm&order=up&state=constructor')).toMatchObject({ sort: 'order', order: 'asc', state: 'all' })
  })

  it('defaults to descending order for disagreement and a model’s column', () => {
    expect(read('sort=spread').order).toBe('desc')
    expect(read('sort=model:a').order).toBe('desc')
    expect(read('sort=worst').order).toBe('asc')
  })
})

describe('clicking a column header', () => {
  it('sorts best first, worst first, then in suite order', () => {
    const steps = []
    let address = ''
    for (let click = 0; click < 3; click++) {
      const { sort, order } = nextColumnSort('model:a', read(address))
      address = new URLSearchParams(
        Object.entries({ sort, order }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ).toString()
      steps.push(ariaSort('model:a', read(address)))
    }
    expect(steps).toEqual(['descending', 'ascending', 'none'])
  })

  it('omits defaults from the address', () => {
    expect(sortChanges('order')).toEqual({ sort: undefined, order: undefined })
    expect(sortChanges('id', 'desc')).toEqual({ sort: 'id', order: 'desc' })
  })
})

it('a sort is not a filter', () => {
  expect(isFiltered(read('sort=id&order=desc'))).toBe(false)
  expect(isFiltered(read('tag=x'))).toBe(true)
})
