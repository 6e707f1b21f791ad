import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PreviewRequest } from '../../../contract/index.ts'
import { createPreviewUpdater, LOOK_EVERY_MS } from './preview-updater.ts'

/** A clock that is moved by hand, and a server that answers when told to. */
function arrange() {
  let time = 0
  let timers: { at: number; call: () => void }[] = []
  const questions: {
    request: PreviewRequest
    at: number
    reply: (view: Partial<PreviewView>) => void
    fail: () => void
  }[] = []
  const shown: (string | undefined)[] = []
  const failures: unknown[] = []
  const updater = createPreviewUpdater({
    ask: (request) =>
      new Promise((resolve, reject) => {
        questions.push({
          request,
          at: time,
          reply: (view) => resolve({ files: [], notes: [], blocked: [], ...view }),
          fail: () => reject(new Error('no')),
        })
      }),
    onPreview: ({ url }) => shown.push(url),
    onFailure: (failure) => failures.push(failure),
    now: () => time,
    after: (milliseconds, call) => {
      const timer = { at: time + milliseconds, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
  const move = (milliseconds: number) => {
    time += milliseconds
    const due = timers.filter(({ at }) => at <= time)
    timers = timers.filter(({ at }) => at > time)
    for (const { call } of due) call()
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const write = (text: string) => updater.want({ text, isComplete: false })
  return { updater, questions, shown, failures, move, settle, write }
}

describe('pages of an answer that arrives', () => {
  it('asks nothing before there is a tag or a fence', () => {
    const { write, questions } = arrange()
    write('Here is the page you asked for:')
    expect(questions).toHaveLength(0)
    write('Here is the page you asked for:\n```html\n<p>')
    expect(questions).toHaveLength(1)
  })

  it('waits for the reply and for the interval before it asks again, then asks for all that has come', async () => {
    const { write, questions, move, settle } = arrange()
    write('<p>1')
    write('<p>12')
    move(LOOK_EVERY_MS * 2)
    expect(questions).toHaveLength(1)
    questions[0]!.reply({ url: 'a' })
    await settle()
    expect(questions.map(({ request }) => request)).toEqual([
      { response: '<p>1', isComplete: false },
      { response: '<p>12', isComplete: false },
    ])
    questions[1]!.reply({ url: 'b' })
    await settle()
    write('<p>123')
    move(LOOK_EVERY_MS - 1)
    expect(questions).toHaveLength(2)
    move(1)
    expect(questions).toHaveLength(3)
  })

  it('does not wait when the end of the page has come, but does for words after it', async () => {
    const { write, questions, settle } = arrange()
    write('<html><p>1')
    questions[0]!.reply({ url: 'a' })
    await settle()
    write('<html><p>12</html>')
    expect(questions).toHaveLength(2)
    questions[1]!.reply({ url: 'b' })
    await settle()
    write('<html><p>12</html>\n```\nThis page')
    expect(questions).toHaveLength(2)
  })

  it('asks for a whole answer at once and by its name, and drops the reply that was under way', async () => {
    const { updater, write, questions, shown, settle } = arrange()
    write('<p>')
    updater.want({ text: '<p>done', isComplete: true, stored: { runId: 'r', modelId: 'm' } })
    expect(questions[1]!.request).toEqual({ runId: 'r', modelId: 'm' })
    questions[1]!.reply({ url: 'whole' })
    questions[0]!.reply({ url: 'half' })
    await settle()
    expect(shown).toEqual(['whole'])
  })

  it('asks once for the same', async () => {
    const { updater, questions, settle } = arrange()
    const page = { text: 'Nothing to show.', isComplete: true }
    updater.want(page)
    questions[0]!.reply({})
    await settle()
    updater.want({ ...page })
    expect(questions).toHaveLength(1)
    updater.retry()
    expect(questions).toHaveLength(2)
  })

  it('tells of a failure only when the answer was whole', async () => {
    const { updater, write, questions, failures, settle } = arrange()
    write('<p>')
    questions[0]!.fail()
    await settle()
    expect(failures).toHaveLength(0)
    updater.want({ text: '<p>', isComplete: true })
    questions[1]!.fail()
    await settle()
    expect(failures).toHaveLength(1)
  })

  it('says nothing after it was closed', async () => {
    const { updater, write, questions, shown, settle, move } = arrange()
    write('<p>')
    updater.close()
    questions[0]!.reply({ url: 'a' })
    await settle()
    move(10_000)
    expect([shown, questions.length]).toEqual([[], 1])
  })

  it('asks at most once an interval however tokens come, and shows the whole answer last', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 400 }), fc.boolean()), { minLength: 1, maxLength: 40 }),
        async (steps) => {
          const { updater, write, questions, shown, move, settle } = arrange()
          let text = '<p>'
          for (const [milliseconds, isAnswered] of steps) {
            text += 'x'
            write(text)
            move(milliseconds)
            if (isAnswered) questions.at(-1)!.reply({ url: text })
            await settle()
          }
          const times = questions.map(({ at }) => at)
          for (const [index, at] of times.entries())
            if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(LOOK_EVERY_MS)
          updater.want({ text, isComplete: true })
          for (const { reply } of questions.slice(0, -1)) reply({ url: 'half' })
          questions.at(-1)!.reply({ url: 'whole' })
          await settle()
          expect(questions.at(-1)!.request).toEqual({ response: text, isComplete: true })
          expect(shown.at(-1)).toBe('whole')
        },
      ),
      { numRuns: 60 },
    )
  })
})
