import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disambiguateTimes, nameApart } from './tell-runs-apart.ts'
import { formatLocalTime } from '../../ui/local-time.ts'

const nameAll = (...prompts: string[]) => [
  ...nameApart(prompts.map((prompt, index) => ({ runId: String(index), prompt }))).values(),
]

describe('the names of runs in a list', () => {
  it('start where prompts with the same beginning differ', () => {
    const beginning = 'A pricing page with three plans and a monthly/yearly switch. The middle plan is recommended'
    expect(
      nameAll(`${beginning}; yearly prices are 20 % lower.`, `${beginning}; yearly prices are 30 % lower.`, 'A clock'),
    ).toEqual([
      'A pricing page with … prices are 20 % lower.',
      'A pricing page with … prices are 30 % lower.',
      'A clock',
    ])
  })

  it('leave prompts that differ early or not at all as they are', () => {
    expect(nameAll('A counter with a reset button', 'A counter with two buttons')).toEqual([
      'A counter with a reset button',
      'A counter with two buttons',
    ])
    const same = 'A long prompt that was asked twice because the first answers were not good enough'
    expect(nameAll(same, same)).toEqual([same, same])
  })

  it('show a prompt that another one continues whole', () => {
    const short = 'A landing page for a small coffee shop in Lisbon'
    expect(nameAll(short, `${short}, in blue`)[1]).toBe('A landing page for a … in Lisbon, in blue')
    expect(nameAll(short, `${short}, in blue`)[0]).toBe('A landing page for a … in Lisbon')
  })

  it('are distinct for prompts that differ, and there for every run', () => {
    const words = fc.array(fc.constantFrom('page', 'with', 'blue', 'red', 'buttons', 'and'), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (prompts) => {
        const texts = prompts.map((prompt) => prompt.join(' '))
        const names = nameAll(...texts)
        expect(names).toHaveLength(texts.length)
        for (const [index, name] of names.entries())
          for (const [other, text] of texts.entries()) if (text === texts[index]) expect(names[other]).toBe(name)
      }),
    )
  })
})

it('only runs that look the same get seconds', () => {
  const minute = 60_000 * 1000
  const runs = [
    { runId: '1', startedAt: minute + 1000, prompt: 'a' },
    { runId: '2', startedAt: minute + 2000, prompt: 'a' },
    { runId: '3', startedAt: minute + 3000, prompt: 'b' },
  ]
  const times = disambiguateTimes(runs, ({ prompt }) => prompt)
  expect(times.get('1')).not.toBe(times.get('2'))
  expect(times.get('3')).toBe(formatLocalTime(minute))
})
