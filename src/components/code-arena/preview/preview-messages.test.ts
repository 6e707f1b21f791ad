import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMessage, MOST_MESSAGES, readPreviewMessage } from './preview-messages.ts'

const good = { source: 'benchmaker-preview', kind: 'console', level: 'warn', text: 'Low on stock' }

describe('messages of a preview', () => {
  it('reads what the first script of a preview sends (src/preview/in-page/reports.ts)', () => {
    expect(readPreviewMessage(good)).toEqual({ kind: 'console', level: 'warn', text: 'Low on stock' })
  })

  it('refuses every other shape', () => {
    const others = [
      { ...good, source: 'other' },
      { ...good, kind: 'eval' },
      { ...good, level: 'fatal' },
      { ...good, text: 5 },
      { ...good, kind: ['console'] },
      [good],
      'benchmaker-preview',
      null,
      undefined,
    ]
    for (const other of others) expect(readPreviewMessage(other)).toBeUndefined()
  })

  it('takes nothing along that was not asked for, and cuts long texts', () => {
    const read = readPreviewMessage({ ...good, text: 'x'.repeat(1_000_000), extra: {} })
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
    expect([messages.length, messages.at(-1)?.text]).toEqual([MOST_MESSAGES, '199'])
  })
})
