import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startResultsServer, type ResultsServer } from '../testing/results-server.ts'
import type { CaseDetail } from '../cases/case-detail.ts'
import type { FailuresView } from './failures-view.ts'
import type { BrokenReasons } from '../../../report/model/failures/broken-reasons.ts'

let server: ResultsServer
beforeAll(async () => {
  server = await startResultsServer()
})
afterAll(() => server.close())

describe('the most telling failures', () => {
  it('are at most three cases, each with the answers that failed and who passed', async () => {
    const selection = `series:${server.seriesId}`
    const { failures, cases } = await server.json<FailuresView>(`/results/${selection}/failures`)
    const { counts } = await server.page(selection)
    expect(cases).toBe(counts.failed)
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.length).toBeLessThanOrEqual(3)
    expect(new Set(failures.map(({ caseId }) => caseId)).size).toBe(failures.length)
    for (const { caseId, got, passed, models } of failures) {
      const detail = await server.detail(selection, caseId)
      const failed = detail.models.filter(({ answers }) => answers.some((answer) => answer.passed === false))
      const named = new Set(got.flatMap((answer) => answer.models.map(({ modelId }) => modelId)))
      for (const modelId of named) expect(failed.map((model) => model.modelId)).toContain(modelId)
      for (const modelId of passed) expect(named.has(modelId)).toBe(false)
      expect(models).toBe(3)
    }
  })

  it('are those of a group, if one is chosen', async () => {
    const { failures } = await server.json<FailuresView>(`/results/${server.single}/failures?group=category:odd`)
    for (const { caseId } of failures)
      expect((await server.detail(server.single, caseId)).testCase?.metadata?.category).toBe('odd')
  })

  it('of a result in which some answers passed, no reason explains all', async () => {
    const { cells, reasons } = await server.json<BrokenReasons>(`/results/${server.single}/reasons`)
    expect(cells).toBe(72)
    for (const { answers } of reasons) expect(answers).toBeLessThanOrEqual(cells)
  })
})

describe('the case before and after', () => {
  it('follows the filter and the sort, and the suite if the case is filtered out', async () => {
    const selection = `series:${server.seriesId}`
    const query = 'state=failed&sort=worst'
    const { cases, total } = await server.page(selection, `${query}&limit=100`)
    const detailOf = (id: string) =>
      server.json<CaseDetail>(`/results/${selection}/case?id=${encodeURIComponent(id)}&${query}`)
    for (const [index, { id }] of cases.entries())
      expect(await detailOf(id)).toMatchObject({
        index,
        total,
        ...(index > 0 && { previousId: cases[index - 1]!.id }),
        ...(index < cases.length - 1 && { nextId: cases[index + 1]!.id }),
      })
    const { cases: all } = await server.page(selection, 'limit=100')
    const hidden = all.find(({ id }) => !cases.some((one) => one.id === id))
    if (hidden) expect((await detailOf(hidden.id)).total).toBe(all.length)
  })
})
