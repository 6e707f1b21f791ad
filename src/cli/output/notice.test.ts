import { expect, it, describe } from 'vitest'
import { printNotice, printWarnings } from './notice.ts'

function print(text: string, errorColumns?: number): string {
  let printed = ''
  const sink = { write: (written: string) => (printed += written) }
  const terminal = { stdout: sink, stderr: sink, colour: false, columns: 20, progress: false }
  printNotice(text, errorColumns === undefined ? terminal : { ...terminal, errorColumns })
  return printed
}

it('wraps between words, but never inside a command to copy', () => {
  expect(print('Run a, b: benchmaker show b', 20)).toBe('Run a, b:\n  benchmaker show b\n')
  expect(print('The provider rejects every request; then: benchmaker resume 20261116', 30)).toBe(
    'The provider rejects every\n  request; then:\n  benchmaker resume 20261116\n',
  )
})

it('leaves a message whole if nobody reads it in a terminal', () => {
  expect(print('a message that is longer than twenty columns')).toBe('a message that is longer than twenty columns\n')
})

function printAll(warnings: string[]): string[] {
  let text = ''
  printWarnings(warnings, { stderr: { write: (part) => (text += part) } })
  return text.split('\n').slice(0, -1)
}

describe('warnings', () => {
  it('take one line each, whatever they contain', () => {
    expect(printAll([])).toEqual([])
    expect(printAll(['s.yaml:1:2: a\u001B[2Jb\nc', 'second'])).toEqual([
      'warning: s.yaml:1:2: a\\u001b[2Jb c',
      'warning: second',
    ])
  })

  it('are counted instead of shown if there are very many', () => {
    const name = (index: number) => `w${'ab'.repeat(index)}`
    expect(printAll(Array.from({ length: 100 }, (_, index) => name(index))).at(-1)).toBe(`warning: ${name(99)}`)
    const many = printAll(Array.from({ length: 150 }, (_, index) => name(index)))
    expect(many).toHaveLength(101)
    expect(many.slice(-2)).toEqual([`warning: ${name(99)}`, 'warning: … and 50 more'])
  })

  it('of a kind are five and how many more: they differ only in their numbers', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `s.yaml:${4 + index}:5: testCases[${index}].x: unknown`)
    const printed = printAll([...many, 'another'])
    expect(printed).toHaveLength(7)
    expect(printed.slice(4)).toEqual([
      'warning: s.yaml:8:5: testCases[4].x: unknown',
      'warning: … and 49,995 more like these',
      'warning: another',
    ])
  })
})
