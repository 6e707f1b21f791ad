import { describe, expect, it } from 'vitest'
import type { PageExpectation } from '../../contract/index.ts'
import { findFaults, nameTarget, questionFor, type Facts } from './expectations.ts'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  width,
  height,
})

const element: NonNullable<Facts['element']> = {
  text: 'Total:  1,234 €',
  value: null,
  checked: false,
  disabled: false,
  focused: true,
  attributes: { href: '/a', download: null },
  style: { color: '#ff0000', margin: '0px', 'font-size': '16px' },
  box: box(10, 20, 300.4, 40),
}
const facts: Facts = {
  title: 'Owls',
  count: 1,
  texts: ['Total: 1,234 €'],
  colours: { red: '#ff0000' },
  others: [],
  element,
}

const faultsOf = (expectation: PageExpectation, seen: Partial<Facts> = {}, errors: string[] = []) =>
  findFaults(expectation, { ...facts, ...seen }, errors)

describe('what is as expected', () => {
  it.each<[PageExpectation, Partial<Facts>?]>([
    [{ of: 'p', text: 'total: 1,234 €' }],
    [{ of: 'p', text: { contains: 'TOTAL', atLeast: 1000, atMost: 2000, not: 'Total' } }],
    [{ of: 'p', text: { matches: '^Total' } }],
    [{ of: 'p', texts: ['total: 1,234 €'], count: 1, visible: true, focused: true, checked: false }],
    [{ of: 'p', attributes: { href: '/a', download: null } }],
    [{ of: 'p', style: { color: 'red', margin: 0, 'font-size': { is: 16, within: 0 } } }],
    [{ of: 'p', width: 300, height: { atLeast: 40, atMost: 40 } }],
    [{ of: 'p', leftOf: 'b', above: 'c' }, { others: [box(310, 0, 5, 5), box(0, 60, 5, 5)] }],
    [{ of: 'p', inside: 'main' }, { others: [box(0, 0, 400, 400)] }],
    [
      { of: 'p', visible: false, count: 0, texts: [] },
      { count: 0, texts: [] },
    ],
    [{ title: 'owls', noErrors: true }],
  ])('%j', (expectation, seen) => {
    expect(faultsOf(expectation, seen)).toEqual([])
  })
})

describe('what is not, with what is seen instead', () => {
  it.each<[PageExpectation, Partial<Facts>, string]>([
    [{ of: 'p', text: 'Total' }, {}, 'expected p to say "Total", saw "Total: 1,234 €"'],
    [{ of: '#sum', text: { atLeast: 5000 } }, {}, 'expected #sum to say at least 5000, saw "Total: 1,234 €"'],
    [{ of: 'p', value: 3 }, {}, 'expected 3 in p, saw that it is no field'],
    [{ of: 'p', text: 'a' }, { element: undefined, count: 0 }, 'expected p, saw none on the screen'],
    [{ of: 'li', count: { atLeast: 2 } }, {}, 'expected at least 2 of li, saw 1'],
    [{ of: 'li', visible: false }, {}, 'expected li not to be seen, saw it'],
    [{ of: 'li', texts: ['b', 'a'] }, { texts: ['a', 'b'] }, 'expected li to say "b", "a", saw "a", "b"'],
    [{ of: 'p', checked: true }, {}, 'expected p on, saw that it is not'],
    [{ of: 'p', attributes: { download: 'x' } }, {}, 'expected p with download "x", saw that it has none'],
    [{ of: 'p', style: { color: { not: 'red' } } }, {}, 'expected p with color not "red", saw #ff0000'],
    [{ of: 'p', width: 310 }, {}, 'expected width of p 310 px, saw 300.4 px'],
    [{ of: 'p', below: 'b' }, { others: [null] }, 'expected p below b, saw no b on the screen'],
    [
      { of: 'p', leftOf: 'b' },
      { others: [box(300, 0, 5, 5)] },
      'expected p left of b, saw it at 10–310.4 px across, 20–60 px down, and the other at 300–305 px across, 0–5 px down',
    ],
    [{ title: 'Bees' }, {}, 'expected the title "Bees", saw "Owls"'],
  ])('%j', (expectation, seen, fault) => {
    expect(faultsOf(expectation, seen)).toEqual([fault])
  })

  it('names the first error', () => {
    expect(faultsOf({ noErrors: true }, {}, ['TypeError: x', 'b'])).toEqual(['expected no errors, saw "TypeError: x"'])
  })
})

it('names targets as people do', () => {
  expect(
    ['#a', { role: 'button', text: 'Save' }, { label: 'Email' }, { css: 'li', nth: -1 }, { text: 'Hi', nth: 2 }].map(
      nameTarget,
    ),
  ).toEqual(['#a', 'button "Save"', 'field "Email"', 'li (number 1 from the end)', '"Hi" (number 2)'])
})

it('asks the page only for what is needed', () => {
  expect(
    questionFor({ of: 'p', style: { color: { not: 'red' }, width: '3px' }, attributes: { href: null }, below: '#b' }),
  ).toEqual({
    of: 'p',
    attributes: ['href'],
    style: ['color', 'width'],
    others: ['#b'],
    colours: ['red', '3px'],
  })
})
