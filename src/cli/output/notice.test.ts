import { expect, it } from 'vitest'
import { printNotice } from './notice.ts'

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
