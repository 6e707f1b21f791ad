import { describe, expect, it } from 'vitest'
import { ariaSort, isFiltered, listFilters, nextColumnSort, readCaseQuery, sortChanges } from './case-query.ts'
import { describeShown } from '../../../report/words/cases.ts'

const read = (text: string) => readCaseQuery(new URLSearchParams(text))

describe('readCaseQuery', () => {
  it('defaults to suite order and all cases', () => {
    expect(read('')).toEqual({
      sort: 'order',
      order: 'asc',
      search: '',
      category: '',
      tag: '',
      difficulty: '',
      below: '',
      state: 'all',
      answers: '',
    })
  })

  it('ignores invalid values', () => {
    expect(read('sort=rm&order=up&state=constructor&below=200&answers=yes')).toMatchObject({
      sort: 'order',
      order: 'asc',
      state: 'all',
      below: '',
      answers: '',
    })
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

describe('describeShown', () => {
  it('says what the filters leave out', () => {
    expect(describeShown(100, 100, listFilters(read('')))).toBe('100 cases')
    expect(describeShown(40, 100, listFilters(read('below=50')))).toBe('40 of 100 cases: 60 hidden by score < 50')
    expect(describeShown(1, 100, listFilters(read('search=sum&state=failed&tag=long')))).toBe(
      '1 of 100 cases: 99 hidden by search “sum”, “Failed” and tag long',
    )
    expect(describeShown(100, 100, listFilters(read('search=a')))).toBe('100 of 100 cases: none hidden')
  })

  it('counts the group of the page as a filter', () => {
    expect(describeShown(15, 60, listFilters(read('group=category:maths&category=law')))).toBe(
      '15 of 60 cases: 45 hidden by category maths',
    )
  })
})
