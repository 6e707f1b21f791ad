import { describe, expect, it } from 'vitest'
import { nameImage, partsOf, toOnePrompt, toTurns, whyNotOnePrompt } from './message-parts.ts'

describe('switching between one prompt and several turns', () => {
  it('returns the same case after a round trip', () => {
    const testCase = { id: 'a', scoringMethod: 'boolean', prompt: 'Hello', mine: 1 }
    expect(toTurns(testCase)).toEqual({
      id: 'a',
      scoringMethod: 'boolean',
      mine: 1,
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(toOnePrompt(toTurns(testCase))).toEqual(testCase)
  })

  it.each([
    [
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
      'several turns',
    ],
    [[{ role: 'system', content: 'a' }], 'not from the user'],
    [[{ role: 'user', content: [{ type: 'text', text: 'a' }] }], 'parts'],
    [[{ role: 'user', content: 'a', cache: true }], 'other fields'],
  ])('keeps turns if something would be lost: %j', (messages, why) => {
    const testCase = { id: 'a', messages }
    expect(whyNotOnePrompt(testCase)).toContain(why)
    expect(toOnePrompt(testCase)).toBe(testCase)
  })
})

describe('parts of a turn', () => {
  it('are editable text, named images, or unknown parts kept as they are', () => {
    expect(partsOf('plain')).toBeUndefined()
    expect(
      partsOf([
        { type: 'text', text: 'What is this?' },
        { type: 'image', image: 'cat.png' },
        { type: 'audio', data: 'x' },
      ]),
    ).toEqual([
      { index: 0, kind: 'text', text: 'What is this?' },
      { index: 1, kind: 'image', name: 'cat.png' },
      { index: 2, kind: 'other', text: '{"type":"audio","data":"x"}' },
    ])
  })

  it('name an embedded image by its type and size: 4 characters of base64 are 3 bytes', () => {
    expect(nameImage(`data:image/png;base64,${'A'.repeat(4096)}`)).toBe('image/png, 3.0 KB')
    expect(nameImage('data:image/svg+xml,<svg/>')).toBe('image/svg+xml, 6 B')
    expect(nameImage('pictures/cat.png')).toBe('pictures/cat.png')
  })
})
