import type { InspectPage, RunResult, Storage } from '../../contract/index.ts'
import type { ArenaReport, ArenaReportPage } from '../../report/model/arena-report.ts'
import { cellStates } from '../../report/words/index.ts'
import { createPageCompiler, type PageCompiler } from '../../preview/index.ts'
import {
  ARENA_CASE_ID,
  listGaps,
  findStandings,
  listVotes,
  loadInspection,
  loadPictures,
  readArenaTask,
} from '../../services/index.ts'
import { listCriteria } from './stored-panel.ts'

interface ReportTools {
  storage: Storage
  /** Takes the pictures that are not stored; without it, there are none of such pages. */
  inspectPage?: InspectPage | undefined
}

type Observed = Pick<ArenaReportPage, 'pictures' | 'findings' | 'problems'>

/** What the browser saw of a page: as stored, or seen now. */
async function observePage(
  run: RunResult,
  { modelId, response }: { modelId: string; response: string },
  { storage, inspectPage }: ReportTools,
): Promise<Observed> {
  const cell = { runId: run.id, testCaseId: ARENA_CASE_ID, modelId }
  const stored = await loadInspection(storage, cell)
  const pictures = (stored && (await loadPictures(storage, cell, stored))) ?? []
  const page =
    pictures.length > 0 || !inspectPage || response.trim() === ''
      ? { ...stored, pictures }
      : await inspectPage(response, { isQuick: false })
  return {
    pictures: page.pictures,
    ...(page.findings && { findings: page.findings }),
    problems: [page.problem, page.notSeen].filter((problem) => problem !== undefined),
  }
}

async function loadPage(
  run: RunResult,
  modelId: string,
  tools: ReportTools & { compiler: PageCompiler },
): Promise<ArenaReportPage> {
  const result = run.results.find((cellResult) => cellResult.modelId === modelId)
  const { response = '', score, unscored, error, cost, latencyMs } = result ?? {}
  const { extracted } = await tools.compiler.assemble(response, { isComplete: true })
  const { conversation } = readArenaTask(run) ?? {}
  const gaps = conversation ? listGaps(conversation, modelId) : []
  return {
    modelId,
    files: extracted.files.map(({ name, code }) => ({ name, code })),
    response,
    criteria: listCriteria(score),
    ...(await observePage(run, { modelId, response }, tools)),
    ...(score && { score: score.score, ...(score.notes !== undefined && { notes: score.notes }) }),
    ...(unscored && { unscored }),
    ...(error !== undefined && { error }),
    ...(!result && { error: cellStates.skipped.word }),
    ...(gaps.length > 0 && { gaps }),
    ...(cost !== undefined && { cost }),
    ...(latencyMs !== undefined && { latencyMs }),
  }
}

/** Loads everything known about the pages of a run or series. */
export async function loadArenaReport(runs: RunResult[], tools: ReportTools): Promise<ArenaReport> {
  const [first] = runs
  const task = readArenaTask(first)
  const runIds = new Set(runs.map(({ id }) => id))
  const pages: ArenaReportPage[] = []
  const compiler = createPageCompiler({ previews: undefined })
  try {
    for (const [index, run] of runs.entries())
      for (const modelId of run.models)
        pages.push({
          ...(await loadPage(run, modelId, { ...tools, compiler })),
          ...(runs.length > 1 && { runNumber: index + 1 }),
        })
  } finally {
    await compiler.close()
  }
  const votes = await listVotes(tools.storage)
  return {
    prompt: task?.prompt ?? '',
    systemPrompt: task?.systemPrompt ?? '',
    isQuickJudge: task?.isQuickJudge ?? false,
    runs,
    calibrations: await findStandings(runs, tools.storage),
    ...(task?.conversation && { earlierPrompts: task.conversation.turns.map(({ prompt }) => prompt) }),
    votes: votes.filter(({ runId }) => runIds.has(runId)).map(({ left, right, choice }) => ({ left, right, choice })),
    ...(first?.judgeModel !== undefined && { judgeModel: first.judgeModel }),
    pages,
  }
}
