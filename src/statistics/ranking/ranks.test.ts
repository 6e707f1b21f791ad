import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indistinguishableGroups, rankBySignificance } from './ranks.ts'

describe('rank by significance', () => {
  it('is a range: from 1 plus the number significantly better to the number of ids less those significantly worse', () => {
    const strength: Record<string, number> = { a: 9, b: 8, c: 5, d: 1 }
    const ranks = rankBySignificance(['d', 'c', 'b', 'a'], (x, y) => strength[x]! - strength[y]! > 2)
    expect([...ranks]).toEqual([
      ['d', { best: 4, worst: 4 }],
      ['c', { best: 3, worst: 3 }],
      ['b', { best: 1, worst: 2 }],
      ['a', { best: 1, worst: 2 }],
    ])
  })

  it('contains every rank that any order consistent with the proven differences gives (checked against all orders)', () => {
    const orders = (ids: string[]): string[][] =>
      ids.length === 0
        ? [[]]
        : ids.flatMap((id) => orders(ids.filter((other) => other !== id)).map((rest) => [id, ...rest]))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }), (strengths) => {
        const ids = strengths.map((_, index) => `m${index}`)
        const beats = (a: string, b: string) => strengths[ids.indexOf(a)]! - strengths[ids.indexOf(b)]! > 2
        const ranks = rankBySignificance(ids, beats)
        const possible = orders(ids).filter((order) =>
          order.every((id, index) => order.slice(index + 1).every((later) => !beats(later, id))),
        )
        for (const id of ids) {
          const positions = possible.map((order) => order.indexOf(id) + 1)
          expect(ranks.get(id)).toEqual({ best: Math.min(...positions), worst: Math.max(...positions) })
        }
      }),
    )
  })
})

describe('indistinguishable groups', () => {
  const groupsOf = (means: Record<string, number>, gap: number) =>
    indistinguishableGroups(Object.keys(means), (x, y) => Math.abs(means[x]! - means[y]!) > gap)

  it('overlap if a middle one differs from neither end (compact letter display)', () => {
    expect(groupsOf({ a: 9, b: 8, c: 7, d: 3 }, 1)).toEqual([['a', 'b'], ['b', 'c'], ['d']])
  })

  it('are one group if none differ, single ones if all do, and none for an empty list', () => {
    expect(groupsOf({ a: 3, b: 2, c: 1 }, 9)).toEqual([['a', 'b', 'c']])
    expect(groupsOf({ a: 3, b: 2, c: 1 }, 0)).toEqual([['a'], ['b'], ['c']])
    expect(groupsOf({}, 0)).toEqual([])
  })

  it('need not be adjacent: a and c alike, b different from both', () => {
    const differs = (x: string, y: string) => x === 'b' || y === 'b'
    expect(indistinguishableGroups(['a', 'b', 'c'], differs)).toEqual([['a', 'c'], ['b']])
  })

  it('are exactly the maximal cliques, each once (checked against all subsets)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }),
        (size, edges) => {
          const ids = Array.from({ length: size }, (_, i) => String(i))
          const differs = (x: string, y: string) => edges[Math.min(+x, +y) * 8 + Math.max(+x, +y)]!
          const isAlike = (members: string[]) =>
            members.every((x, i) => members.slice(i + 1).every((y) => !differs(x, y)))
          const subsets = Array.from({ length: 2 ** size - 1 }, (_, mask) =>
            ids.filter((__, i) => ((mask + 1) >> i) & 1),
          )
          const maximal = subsets.filter(
            (members) => isAlike(members) && ids.every((id) => members.includes(id) || !isAlike([...members, id])),
          )
          const groups = indistinguishableGroups(ids, differs).map((group) => group.join())
          expect(groups.toSorted()).toEqual(maximal.map((members) => members.join()).toSorted())
        },
      ),
    )
  })

  it('are found quickly for 200 models with overlapping intervals, in order of their best member', () => {
    const means = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`m${i}`, 1000 - i]))
    const groups = groupsOf(means, 30)
    expect(groups).toHaveLength(170)
    expect(groups.map(([best]) => best)).toEqual(Array.from({ length: 170 }, (_, i) => `m${i}`))
    expect(groups.every((group) => group.length === 31)).toBe(true)
  })
})
