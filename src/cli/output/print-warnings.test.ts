import { describe, expect, it } from 'vitest'
import { printWarnings } from './print-warnings.ts'

function print(warnings: string[]): string[] {
  let text = ''
  printWarnings(warnings, { stderr: { write: (part) => (text += part) } })
  return text.split('\n').slice(0, -1)
}

describe('warnings', () => {
  it('take one line each, whatever they contain', () => {
    expect(print([])).toEqual([])
    expect(print(['s.yaml:1:2: a\u001B[2Jb\nc', 'second'])).toEqual([
      'warning: s.yaml:1:2: a\\u001b[2Jb c',
      'warning: second',
    ])
  })

  it('are counted instead of shown if there are very many', () => {
    expect(print(Array.from({ length: 100 }, (_, index) => `w${index}`)).at(-1)).toBe('warning: w99')
    const many = print(Array.from({ length: 50_000 }, (_, index) => `w${index}`))
    expect(many).toHaveLength(101)
    expect(many.slice(-2)).toEqual(['warning: w99', 'warning: … and 49,900 more'])
  })
})
