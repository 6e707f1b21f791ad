import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LongInteger, parseExactJson } from './exact-json.ts'

describe('JSON with whole numbers beyond 2^53', () => {
  it('parses and writes whole numbers of any length without changing a digit', () => {
    const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
    fc.assert(
      fc.property(fc.array(integer), (integers) => {
        const text = `{"list":[${integers.join(',')}],"text":"[${integers.join(',')}]"}`
        expect(JSON.stringify(parseExactJson(text))).toBe(text)
      }),
    )
  })

  it('leaves every other value as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
    for (const text of [
      '9007199254740991',
      '1e18',
      '1234567890123456789.0',
      '0.1234567890123456789',
      '"1234567890123456789"',
    ])
      expect(parseExactJson(text)).toBe(JSON.parse(text))
  })

  it.each(['1234567890123456789', ' -9007199254740993 ', '[1234567890123456789]', '{"a":1234567890123456789 }'])(
    'finds the long number of %s',
    (text) => {
      expect(JSON.stringify(parseExactJson(text))).toBe(text.replaceAll(' ', ''))
    },
  )

  it('parses text too deep to keep them, as JSON.parse does', () => {
    const text = `${'['.repeat(100_000)}1234567890123456789${']'.repeat(100_000)}`
    expect(() => parseExactJson(text)).not.toThrow()
    expect(() => parseExactJson('[1234567890123456789')).toThrow(SyntaxError)
  })

  it('compares digit by digit, and a number that is rounded already by what it was rounded to', () => {
    const long = new LongInteger('1234567890123456789')
    expect(long.equals(new LongInteger('1234567890123456789'))).toBe(true)
    expect(long.equals(new LongInteger('1234567890123456780'))).toBe(false)
    expect(long.equals(Number('1234567890123456789'))).toBe(true)
    expect(long.equals('1234567890123456789')).toBe(false)
  })
})
