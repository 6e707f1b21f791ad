import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attachmentHeaders } from './attachment.ts'

const readDisposition = (name: string) => attachmentHeaders(name, 'text/plain')['content-disposition']!

describe('the file name of a download', () => {
  it('is a valid header for every text, and never a path', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
            fc.constantFrom('/', '\\', '"', ';', '%', "'", '.', '\r', '\n', '\u2028', '😀'),
          ),
          maxLength: 300,
        }),
        (name) => {
          const disposition = readDisposition(name)
          expect(disposition).toMatch(/^attachment; filename="[ !#-.0-[\]-~]+"; filename\*=UTF-8''[\w!~*().%-]+$/)
          expect(new Headers({ 'content-disposition': disposition }).get('content-disposition')).toBe(disposition)
          const full = decodeURIComponent(disposition.slice(disposition.indexOf("''") + 2))
          expect(full).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/u)
          expect(full.length).toBeLessThanOrEqual(120)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('may be cut in the middle of a character', () => {
    expect(readDisposition(`${'a'.repeat(119)}😀`)).toBe(
      `attachment; filename="${'a'.repeat(119)}"; filename*=UTF-8''${'a'.repeat(119)}`,
    )
  })
})
