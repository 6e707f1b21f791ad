import { describe, expect, it } from 'vitest'
import { gradesColumn } from './columns.ts'

describe('the figures of a score', () => {
  it('keep the ids of criteria, the results of comparisons, the style and who is missing, without texts', () => {
    const style = { length: 5, headers: 0, listItems: 0, bold: 0, codeBlocks: 0 }
    const column = gradesColumn({
      judges: [{ judgeModelId: 'p', score: 0.5, reasoning: 'long' }],
      missingJudges: [{ judgeModelId: 'q', reason: 'it gave no readable grade' }],
      checks: [
        { id: 'rent', name: 'Names the rent', scoringMethod: 'criterion', weight: 3, score: 1, notes: 'long' },
        {
          scoringMethod: 'rubric',
          weight: 1,
          score: 1,
          checks: [{ id: '1', scoringMethod: 'criterion', weight: 1, score: 1 }],
        },
      ],
      comparisons: [
        {
          opponentId: 'b',
          score: 1,
          notes: 'long',
          judges: [{ judgeModelId: 'p', score: 1, isConsistent: true, reasoning: 'long' }],
        },
      ],
      style,
    })
    expect(column).not.toContain('long')
    expect(JSON.parse(column!)).toMatchObject({
      missingJudges: [{ judgeModelId: 'q' }],
      checks: [{ id: 'rent', score: 1, weight: 3 }, { checks: [{ id: '1', score: 1 }] }],
      comparisons: [{ opponentId: 'b', score: 1, judges: [{ judgeModelId: 'p', isConsistent: true }] }],
      style,
    })
  })

  it('are none for a plain score', () => {
    expect(gradesColumn({})).toBeNull()
  })
})
