import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allocate } from './allocate.ts'

const other = (holder: string, held: number, wanted: number) => ({ holder, held, wanted })

it('gives what is wanted while there is enough, and an equal share when there is not', () => {
  expect(allocate(10, { holder: 'a', kept: 0, wanted: 3 }, [], 0)).toEqual({ allowed: 3, held: 3 })
  expect(allocate(10, { holder: 'a', kept: 0, wanted: 30 }, [other('b', 0, 2)], 0)).toEqual({ allowed: 8, held: 8 })
  expect(allocate(10, { holder: 'a', kept: 0, wanted: 30 }, [other('b', 0, 30)], 0)).toEqual({ allowed: 5, held: 5 })
})

it('never gives what another one still holds, and lowers what is more than fair', () => {
  expect(allocate(10, { holder: 'b', kept: 0, wanted: 30 }, [other('a', 9, 30)], 0)).toEqual({ allowed: 1, held: 1 })
  expect(allocate(10, { holder: 'a', kept: 9, wanted: 30 }, [other('b', 1, 30)], 0)).toEqual({ allowed: 5, held: 9 })
})

it('holders take turns when there are more of them than the limit allows', () => {
  const others = [other('b', 0, 5), other('c', 0, 5)]
  const allowed = [0, 1, 2].map((turn) => allocate(1, { holder: 'a', kept: 0, wanted: 5 }, others, turn).allowed)
  expect(allowed.toSorted((a, b) => a - b)).toEqual([0, 0, 1])
})

it('whatever happens, all together hold no more than the limit, and it is used once all have asked', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 5,
      }),
      (limit, wantedOverTime) => {
        const holders = wantedOverTime.map((_, index) => ({ holder: `h${index}`, held: 0, wanted: 0, allowed: 0 }))
        const ask = (index: number, wanted: number) => {
          const own = holders[index]!
          const others = holders.filter((one) => one !== own)
          const { held, allowed } = allocate(limit, { holder: own.holder, kept: own.allowed, wanted }, others, 0)
          Object.assign(own, { held, allowed, wanted })
          expect(holders.reduce((sum, one) => sum + one.held, 0)).toBeLessThanOrEqual(limit)
        }
        for (let round = 0; round < 6; round++)
          for (const [index, wanted] of wantedOverTime.entries()) ask(index, wanted[round % wanted.length]!)
        const last = wantedOverTime.map((wanted) => wanted[0]!)
        for (let round = 0; round < 4; round++) for (const [index, wanted] of last.entries()) ask(index, wanted)
        const sum = holders.reduce((total, { allowed }) => total + allowed, 0)
        expect(sum).toBe(
          Math.min(
            limit,
            last.reduce((a, b) => a + b, 0),
          ),
        )
      },
    ),
  )
})
