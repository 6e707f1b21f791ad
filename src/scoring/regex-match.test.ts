import { describe, expect, it } from 'vitest'
import { compileAlone } from './testing/compile-alone.ts'
import { matchPattern, regexMatch } from './regex-match.ts'

describe('regex match', () => {
  it.each([
    ['order 66', String.raw`\d+`, 1],
    ['no digits', String.raw`\d+`, 0],
    ['PARIS', '/paris/i', 1],
    ['PARIS', 'paris', 0],
    ['a\nb', '/a.b/s', 1],
    ['one\ntwo', '/^two$/m', 1],
    ['see /usr/bin here', '/usr/bin', 1],
    ['a/b', String.raw`/a\/b/`, 1],
    ['😀', '/^.$/u', 1],
    ['😀', '/^.$/', 0],
    ['banana', '/an/g', 1],
    ['banana', '/an/y', 0],
  ])('%j against %s scores %d', (response, pattern, score) => expect(matchPattern(response, pattern).score).toBe(score))

  it.each([
    ['a(b', /Unterminated group near character 3/],
    ['/a(b/', /Unterminated group near character 4/],
    ['[z-a]', /Range out of order/],
    ['a**', /Nothing to repeat near character 3/],
    ['/a/gg', /[Ii]nvalid.*flags/],
    ['/abc/x', /x is not a flag; the flags are d g i m s u v y/],
    ['/abc/ix', /: x is not a flag/],
    ['/abc/I', /I is not a flag/],
    ['/(?<n>a)(?<n>b)/', /Duplicate capture group name/],
    ['', /empty/],
  ])('rejects %j with the position of the error', (pattern, message) => {
    expect(() => matchPattern('x', pattern)).toThrow(
      expect.objectContaining({ code: 'invalid-regex', message: expect.stringMatching(message) }),
    )
    if (pattern !== '')
      expect(compileAlone(regexMatch, pattern, {}).problems).toEqual([
        { path: ['expectedOutput'], message: expect.stringMatching(message), code: 'invalid-regex' },
      ])
  })
  it('warns if a plain pattern looks like one with flags', () => {
    expect(compileAlone(regexMatch, '/usr/bin').warnings).toEqual([
      {
        path: ['expectedOutput'],
        message: expect.stringMatching(
          /used literally, including its slashes, because bin is not a set of flags \(d g i m s u v y\)/,
        ),
      },
    ])
    for (const plain of ['/paris/i', 'paris', String.raw`\/usr\/bin`, '/usr/'])
      expect(compileAlone(regexMatch, plain).warnings).toEqual([])
  })
})
