import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameLate, frameLoaded, isPreviewUrl, noFrames, reloadPage, showPage } from './frames.ts'

const [a, b, c] = ['http://pa.localhost:4000/', 'http://pb.localhost:4000/', 'http://pc.localhost:4000/'] as const
const urls = (frames: typeof noFrames) => frames.list.map(({ url }) => url)

describe('frames of a preview', () => {
  it('keeps the visible page until the next one has loaded', () => {
    let frames = frameLoaded(showPage(noFrames, a), 1)
    frames = showPage(frames, b)
    expect(urls(frames)).toEqual([a, b])
    expect(urls(frameLoaded(frames, 2))).toEqual([b])
  })

  it('finishes loading a page before starting the next, so that fast changes do not hide all of them', () => {
    let frames = showPage(showPage(frameLoaded(showPage(noFrames, a), 1), b), c)
    expect(urls(frames)).toEqual([a, b])
    frames = frameLoaded(frames, 2)
    expect(urls(frames)).toEqual([b, c])
    expect(urls(frameLoaded(frames, 3))).toEqual([c])
  })

  it('replaces a loading page with the final one', () => {
    const frames = showPage(showPage(frameLoaded(showPage(noFrames, a), 1), b), c, { isFinal: true })
    expect(urls(frames)).toEqual([a, c])
    expect(frameLoaded(frames, 2)).toBe(frames)
  })

  it('loads the next page behind a stuck one', () => {
    const frames = frameLate(showPage(showPage(noFrames, a), b), 1)
    expect(frames.list.map(({ url, isLate }) => [url, isLate])).toEqual([
      [a, true],
      [b, false],
    ])
  })

  it('ignores the same page, and drops a loading page that is no longer needed', () => {
    const frames = frameLoaded(showPage(noFrames, a), 1)
    expect(showPage(frames, a)).toBe(frames)
    expect(urls(showPage(showPage(frames, b), a))).toEqual([a])
  })

  it('shows a page that does not load in time, and marks it as late until it has loaded', () => {
    const frames = frameLate(showPage(frameLoaded(showPage(noFrames, a), 1), b), 2)
    expect(frames.list).toEqual([{ key: 2, url: b, isLoaded: false, isLate: true }])
    expect(frameLoaded(frames, 2).list).toEqual([{ key: 2, url: b, isLoaded: true, isLate: false }])
  })

  it('does not mark a loaded page as late', () => {
    const frames = frameLoaded(showPage(noFrames, a), 1)
    expect(frameLate(frames, 1)).toBe(frames)
  })

  it('reloads in a new frame', () => {
    expect(reloadPage(frameLoaded(showPage(noFrames, a), 1)).list).toEqual([
      { key: 2, url: a, isLoaded: false, isLate: false },
    ])
  })

  it('accepts only the root of hosts under localhost', () => {
    expect(isPreviewUrl(a)).toBe(true)
    for (const url of [
      'https://pa.localhost:4000/',
      'http://localhost:4000/',
      'http://pa.localhost:4000/api',
      'http://pa.localhost.example:80/',
      'javascript:0',
      'http://127.0.0.1:4000/',
    ])
      expect(isPreviewUrl(url)).toBe(false)
    expect(showPage(noFrames, 'http://example.test/')).toBe(noFrames)
  })

  it('has at most two frames, in ascending order, so that none is ever moved', () => {
    const step = fc.oneof(
      fc.constantFrom(a, b, c),
      fc.constantFrom(a, b, c).map((last) => ({ last })),
      fc.nat({ max: 12 }),
      fc.constant('reload' as const),
      fc.nat({ max: 12 }).map((key) => ({ late: key })),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let frames = noFrames
        for (const next of steps) {
          if (next === 'reload') frames = reloadPage(frames)
          else if (typeof next === 'string') frames = showPage(frames, next)
          else if (typeof next === 'number') frames = frameLoaded(frames, next)
          else if ('last' in next) frames = showPage(frames, next.last, { isFinal: true })
          else frames = frameLate(frames, next.late)
          const keys = frames.list.map(({ key }) => key)
          expect(keys.length).toBeLessThanOrEqual(2)
          expect(keys).toEqual(keys.toSorted((x, y) => x - y))
        }
      }),
    )
  })
})
