import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDrawing, iconKey, writeDrawings, type IconNode } from './icon-drawings.ts'

const check: IconNode[] = [['path', { d: 'M20 6 9 17l-5-5' }]]
const award: IconNode[] = [
  ['circle', { cx: '12', cy: '8', r: '6' }],
  ['path', { d: 'm9 12 2 2', fill: 'none' }],
  ['polyline', { points: '22 12 16 12, 14 15' }],
]
const drawings = writeDrawings({ check, 'circle-check': award }, { checkcircle: 'circle-check', check: 'circle-check' })

describe('the drawings of all icons in one text', () => {
  it('gives back what was drawn, by the name in any spelling', () => {
    expect(findDrawing(drawings, iconKey('Check'))).toEqual({ name: 'check', nodes: check })
    expect(findDrawing(drawings, iconKey('CircleCheck'))).toEqual({ name: 'circle-check', nodes: award })
    expect(findDrawing(drawings, iconKey('circle-check'))).toEqual({ name: 'circle-check', nodes: award })
  })

  it('another name stands for its icon, but never in place of an icon that has that name', () => {
    expect(findDrawing(drawings, 'checkcircle')).toEqual({ name: 'circle-check', nodes: award })
    expect(findDrawing(drawings, 'check')?.name).toBe('check')
  })

  it('knows no icon by a part of its name, by nothing, or by what stands in a drawing', () => {
    for (const key of ['', 'chec', 'heck', 'm20', '=circlecheck']) expect(findDrawing(drawings, key)).toBeUndefined()
  })

  it('refuses to write what could not be read again', () => {
    for (const d of ['M1|2', 'a~b', 'a\tb', 'a\nb', '<path'])
      expect(() => writeDrawings({ odd: [['path', { d }]] }, {})).toThrow('contains a separator')
  })

  it('for all icons, what is written is read again', () => {
    const text = fc.string({ unit: fc.constantFrom(...'Mmlz0123456789 .,-=#%'), minLength: 1, maxLength: 12 })
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
    const node = fc.tuple(
      fc.constantFrom('path', 'rect', 'circle'),
      fc.dictionary(fc.constantFrom('d', 'x', 'y', 'points', 'fill'), text, { minKeys: 1 }),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, fc.array(node, { minLength: 1, maxLength: 4 })), {
          selector: ([own]) => iconKey(own),
          minLength: 1,
          maxLength: 8,
        }),
        (icons) => {
          const written = writeDrawings(Object.fromEntries(icons), {})
          for (const [own, nodes] of icons)
            expect(findDrawing(written, iconKey(own))).toEqual({
              name: own,
              nodes: nodes.map(([tag, attributes]) => [tag, { ...attributes }]),
            })
        },
      ),
    )
  })
})
