import type { RunResult, Storage } from '../../contract/index.ts'
import type { ArenaReport, ArenaReportPage } from '../../report/formats/html/arena-html.ts'
import { createPageCompiler, type PageCompiler } from '../../preview/index.ts'
import { listCriteria } from '../../server/code-arena/describe-panel.ts'
import { ARENA_CASE_ID, loadInspection, loadPictures, readArenaTask } from '../../services/index.ts'

async function describePage(
  run: RunResult,
  modelId: string,
  { storage, compiler }: { storage: Storage; compiler: PageCompiler },
): Promise<ArenaReportPage> {
  const result = run.results.find((cellResult) => cellResult.modelId === modelId)
  const { response = '', score, unscored, error, cost, latencyMs } = result ?? {}
  const cell = { runId: run.id, testCaseId: ARENA_CASE_ID, modelId }
  const inspection = await loadInspection(storage, cell)
  const { extracted } = await compiler.assemble(response, { isComplete: true })
  const problems = [inspection?.problem, inspection?.notSeen].filter((problem) => problem !== undefined)
  return {
    modelId,
    files: extracted.files.map(({ name, code }) => ({ name, code })),
    response,
    criteria: listCriteria(score),
    pictures: (inspection && (await loadPictures(storage, cell, inspection))) ?? [],
    problems,
    ...(score && { score: score.score, ...(score.notes !== undefined && { notes: score.notes }) }),
    ...(unscored && { unscored }),
    ...(error !== undefined && { error }),
    ...(!result && { error: 'not asked yet' }),
    ...(inspection?.findings && { findings: inspection.findings }),
    ...(cost !== undefined && { cost }),
    ...(latencyMs !== undefined && { latencyMs }),
  }
}

/** Loads everything known about the pages of a run or series. */
export async function loadArenaReport(runs: readonly RunResult[], storage: Storage): Promise<ArenaReport> {
  const [first] = runs
  const task = readArenaTask(first?.testSuiteSnapshot)
  const pages: ArenaReportPage[] = []
  const compiler = createPageCompiler({ vendorDir: '' })
  for (const [index, run] of runs.entries())
    for (const modelId of run.models)
      pages.push({
        ...(await describePage(run, modelId, { storage, compiler })),
        ...(runs.length > 1 && { runNumber: index + 1 }),
      })
  await compiler.close()
  return {
    prompt: task?.prompt ?? '',
    systemPrompt: task?.systemPrompt ?? '',
    isQuickJudge: task?.isQuickJudge ?? false,
    runIds: runs.map(({ id }) => id),
    ...(first?.judgeModel !== undefined && { judgeModel: first.judgeModel }),
    ...(first?.startedAt !== undefined && { startedAt: first.startedAt }),
    pages,
  }
}
