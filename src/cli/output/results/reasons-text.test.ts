import { expect, it } from 'vitest'
import { drawReasons } from './reasons-text.ts'

const terminal = { columns: 60, colour: false }

it('says each reason with its evidence, an example and what to do, within the width', () => {
  const text = drawReasons(
    {
      cells: 36,
      reasons: [
        {
          kind: 'says-more',
          answers: 31,
          example: { caseId: 'six', expected: '42', got: `The answer\nis ${'42 '.repeat(50)}` },
        },
        { kind: 'empty', answers: 3, example: { caseId: 'seven', got: '' } },
        { kind: 'error', answers: 2, message: `refused \u001b[31m${'x '.repeat(300)}` },
      ],
    },
    terminal,
  )
  expect(text).toMatch(
    /^Likely reasons\n {2}1 {2}The scorer wants the whole answer to match\. Score\n {5}with contains, then rescore: it sends no request\.\n/,
  )
  expect(text).toContain('\n     31 of 36 answers contain the expected output and\n     say more.\n')
  expect(text).toContain('\n     six: expected 42, got The answer is 42 42')
  expect(text).toContain('\n     seven: got (empty)\n')
  expect(text).toContain('2 of 36 answers: refused \\u001b[31mx x')
  for (const line of text.split('\n')) expect([line, line.length <= terminal.columns]).toEqual([line, true])
})
it('says nothing where nothing is known', () => {
  expect(drawReasons({ cells: 36, reasons: [] }, terminal)).toBe('')
})
