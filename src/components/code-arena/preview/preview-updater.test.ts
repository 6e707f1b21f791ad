import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PreviewRequest } from '../../../contract/index.ts'
import { createPreviewUpdater, UPDATE_INTERVAL_MS } from './preview-updater.ts'

/** A manual clock and a server that replies on demand. */
function setUp() {
  let time = 0
  let timers: { at: number; call: () => void }[] = []
  const requests: {
    request: PreviewRequest
    at: number
    reply: (view: Partial<PreviewView>) => void
    fail: () => void
  }[] = []
  const shown: (string | undefined)[] = []
  const failures: unknown[] = []
  const updater = createPreviewUpdater({
    requestPreview: (request) =>
      new Promise((resolve, reject) => {
        requests.push({
          request,
          at: time,
          reply: (view) => resolve({ files: [], notes: [], blocked: [], missing: [], installable: [], ...view }),
          fail: () => reject(new Error('no')),
        })
      }),
    onPreview: ({ url }) => shown.push(url),
    onFailure: (failure) => failures.push(failure),
    now: () => time,
    schedule: (milliseconds, call) => {
      const timer = { at: time + milliseconds, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
  const advance = (milliseconds: number) => {
    time += milliseconds
    const due = timers.filter(({ at }) => at <= time)
    timers = timers.filter(({ at }) => at > time)
    for (const { call } of due) call()
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const write = (text: string) => updater.update({ text, isComplete: false })
  return { updater, requests, shown, failures, advance, settle, write }
}

describe('previews of an arriving answer', () => {
  it('requests nothing before the first tag or fence', () => {
    const { write, requests } = setUp()
    write('Here is the page you asked for:')
    expect(requests).toHaveLength(0)
    write('Here is the page you asked for:\n```html\n<p>')
    expect(requests).toHaveLength(1)
  })

  it('waits for the reply and the interval, then requests everything that has arrived', async () => {
    const { write, requests, advance, settle } = setUp()
    write('<p>1')
    write('<p>12')
    advance(UPDATE_INTERVAL_MS * 2)
    expect(requests).toHaveLength(1)
    requests[0]!.reply({ url: 'a' })
    await settle()
    expect(requests.map(({ request }) => request)).toEqual([
      { response: '<p>1', isComplete: false },
      { response: '<p>12', isComplete: false },
    ])
    requests[1]!.reply({ url: 'b' })
    await settle()
    write('<p>123')
    advance(UPDATE_INTERVAL_MS - 1)
    expect(requests).toHaveLength(2)
    advance(1)
    expect(requests).toHaveLength(3)
  })

  it('does not wait once the page is closed, but does for text after it', async () => {
    const { write, requests, settle } = setUp()
    write('<html><p>1')
    requests[0]!.reply({ url: 'a' })
    await settle()
    write('<html><p>12</html>')
    expect(requests).toHaveLength(2)
    requests[1]!.reply({ url: 'b' })
    await settle()
    write('<html><p>12</html>\n```\nThis page')
    expect(requests).toHaveLength(2)
  })

  it('requests a complete answer at once by its ids, and drops the pending reply', async () => {
    const { updater, write, requests, shown, settle } = setUp()
    write('<p>')
    updater.update({ text: '<p>done', isComplete: true, stored: { runId: 'r', modelId: 'm' } })
    expect(requests[1]!.request).toEqual({ runId: 'r', modelId: 'm' })
    requests[1]!.reply({ url: 'complete' })
    requests[0]!.reply({ url: 'partial' })
    await settle()
    expect(shown).toEqual(['complete'])
  })

  it('does not repeat a request', async () => {
    const { updater, requests, settle } = setUp()
    const page = { text: 'Nothing to show.', isComplete: true }
    updater.update(page)
    requests[0]!.reply({})
    await settle()
    updater.update({ ...page })
    expect(requests).toHaveLength(1)
    updater.retry()
    expect(requests).toHaveLength(2)
  })

  it('reports a failure only for a complete answer', async () => {
    const { updater, write, requests, failures, settle } = setUp()
    write('<p>')
    requests[0]!.fail()
    await settle()
    expect(failures).toHaveLength(0)
    updater.update({ text: '<p>', isComplete: true })
    requests[1]!.fail()
    await settle()
    expect(failures).toHaveLength(1)
  })

  it('does nothing after it is closed', async () => {
    const { updater, write, requests, shown, settle, advance } = setUp()
    write('<p>')
    updater.close()
    requests[0]!.reply({ url: 'a' })
    await settle()
    advance(10_000)
    expect([shown, requests.length]).toEqual([[], 1])
  })

  it('sends at most one request per interval, and shows the complete answer last', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 400 }), fc.boolean()), { minLength: 1, maxLength: 40 }),
        async (steps) => {
          const { updater, write, requests, shown, advance, settle } = setUp()
          let text = '<p>'
          for (const [milliseconds, isAnswered] of steps) {
            text += 'x'
            write(text)
            advance(milliseconds)
            if (isAnswered) requests.at(-1)!.reply({ url: text })
            await settle()
          }
          const times = requests.map(({ at }) => at)
          for (const [index, at] of times.entries())
            if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(UPDATE_INTERVAL_MS)
          updater.update({ text, isComplete: true })
          for (const { reply } of requests.slice(0, -1)) reply({ url: 'partial' })
          requests.at(-1)!.reply({ url: 'complete' })
          await settle()
          expect(requests.at(-1)!.request).toEqual({ response: text, isComplete: true })
          expect(shown.at(-1)).toBe('complete')
        },
      ),
      { numRuns: 60 },
    )
  })
})
