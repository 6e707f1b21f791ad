import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextRedactor } from './redact-answers.ts'

const SECRET = 'sk-abcabcabd'

describe('redacted text', () => {
  it('is the same however it is split, contains no secret and loses nothing else', () => {
    const part = fc.constantFrom('sk-abc', 'abc', 'abd', 'sk-', SECRET, 'x', ' ', SECRET.slice(0, 9))
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 10 }),
        (parts, cuts) => {
          const text = parts.join('')
          const ends = [...new Set(cuts.filter((cut) => cut < text.length))].sort((a, b) => a - b)
          let passed = ''
          const { add, end } = createTextRedactor([SECRET], (piece) => (passed += piece))
          let start = 0
          for (const cut of [...ends, text.length]) {
            add(text.slice(start, cut))
            expect(passed).not.toContain(SECRET)
            start = cut
          }
          end()
          expect(passed).toBe(text.replaceAll(SECRET, '[key]'))
        },
      ),
    )
  })
  it('passes on at once whatever cannot be the start of a secret', () => {
    const passed: string[] = []
    const { add } = createTextRedactor([SECRET, 'short'], (piece) => passed.push(piece))
    add('the word sk')
    add('ill and short')
    expect(passed).toEqual(['the word ', 'skill and short'])
  })
})
