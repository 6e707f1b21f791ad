import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMessage, MAX_MESSAGES, readPreviewMessage } from './preview-messages.ts'

const valid = { source: 'benchmaker-preview', kind: 'console', level: 'warn', text: 'Low on stock' }

describe('messages of a preview', () => {
  it('reads the messages of the preview script (src/preview/in-page/reports.ts)', () => {
    expect(readPreviewMessage(valid)).toEqual({ kind: 'console', level: 'warn', text: 'Low on stock' })
  })

  it('rejects everything else', () => {
    const others = [
      { ...valid, source: 'other' },
      { ...valid, kind: 'eval' },
      { ...valid, level: 'fatal' },
      { ...valid, text: 5 },
      { ...valid, kind: ['console'] },
      [valid],
      'benchmaker-preview',
      null,
      undefined,
    ]
    for (const other of others) expect(readPreviewMessage(other)).toBeUndefined()
  })

  it('drops other fields and truncates long texts', () => {
    const read = readPreviewMessage({ ...valid, text: 'x'.repeat(1_000_000), extra: {} })
    expect(Object.keys(read!)).toEqual(['kind', 'level', 'text'])
    expect(read!.text.length).toBe(2_001)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        readPreviewMessage(data)
      }),
    )
  })

  it('keeps the first 200', () => {
    let messages: ReturnType<typeof addMessage> = []
    for (let index = 0; index < 500; index++)
      messages = addMessage(messages, { kind: 'console', level: 'log', text: String(index) })
    expect([messages.length, messages.at(-1)?.text]).toEqual([MAX_MESSAGES, '199'])
  })
})
