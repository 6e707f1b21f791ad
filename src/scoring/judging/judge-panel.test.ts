import { describe, expect, it } from 'vitest'
import { ClientError, ScoringError } from '../../contract/index.ts'
import { collectVerdicts, noteMissing } from './judge-panel.ts'

const unreadable = new ScoringError('judge-unreadable', 'gave no readable grade')
const failed = new ScoringError('judge-failed', 'is down')

/** A panel of judges a, b, c … whose replies are these. */
function panelOf(...replies: (number | Error)[]) {
  const judgeModelIds = replies.map((_, index) => String.fromCharCode(97 + index))
  return collectVerdicts({ judgeModelIds }, async (judge) => {
    const reply = replies[judgeModelIds.indexOf(judge)]!
    if (reply instanceof Error) throw reply
    return reply
  })
}

describe('a panel of judges', () => {
  it('gives the verdicts of those that could be read, and says who is missing', async () => {
    const { verdicts, missing } = await panelOf(1, unreadable, 0.5)
    expect(verdicts).toEqual([1, 0.5])
    expect(noteMissing(missing)).toEqual(['without b: it gave no readable grade'])
  })

  it('needs at least half of its judges', async () => {
    expect((await panelOf(1, failed)).missing).toEqual([{ judgeModelId: 'b', reason: 'it could not be reached' }])
    expect((await panelOf(1, 1, unreadable, unreadable)).verdicts).toHaveLength(2)
    await expect(panelOf(1, unreadable, unreadable)).rejects.toMatchObject({ code: 'judge-unreadable' })
    await expect(panelOf(unreadable)).rejects.toBe(unreadable)
  })

  it('can be asked again by a resume if too many judges could not be reached', async () => {
    await expect(panelOf(1, unreadable, failed)).rejects.toMatchObject({ code: 'judge-failed' })
  })

  it('stops at once if the run is cancelled', async () => {
    const cancelled = new ClientError('cancelled', 'cancelled')
    await expect(panelOf(1, 1, cancelled)).rejects.toBe(cancelled)
  })
})
