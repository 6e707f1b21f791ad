import { z } from 'zod'
import type {
  ArenaCriterion,
  ArenaReport,
  ArenaReportPage,
  InspectPage,
  RunResult,
  ScoringResult,
  Storage,
} from '../../contract/index.ts'
import { findStandings } from '../calibration/calibration-history.ts'
import { listEarlierAnswers, listGaps } from './conversation.ts'
import { loadInspection, loadPictures } from './inspection.ts'
import { ARENA_CASE_ID, readArenaTask } from './suite.ts'
import { listVotes } from './votes.ts'

const criterionSchema = z.object({ score: z.number().optional(), reason: z.string(), weight: z.number() })
const criteriaSchema = z.object({ criteria: z.record(z.string(), criterionSchema) })

const LABELS: Record<string, string> = {
  visualAccuracy: 'Visual accuracy',
  codeQuality: 'Code quality',
  functionality: 'Functionality',
  responsiveness: 'Responsiveness',
}

/** The four criteria of a judged page in a fixed order, 0 to 1; empty for any other score. */
export function listCriteria(score: ScoringResult | undefined): ArenaCriterion[] {
  const parsed = criteriaSchema.safeParse(score)
  if (!parsed.success) return []
  return Object.entries(LABELS).flatMap(([name, label]) => {
    const criterion = parsed.data.criteria[name]
    if (!criterion) return []
    const { score: points, reason, weight } = criterion
    return [{ name, label, weight, reason, ...(points !== undefined && { score: points / 100 }) }]
  })
}

interface ReportTools {
  storage: Storage
  /** Finds the files in an answer. */
  inspectPage: InspectPage
  /** Takes the pictures that are not stored. */
  takesPictures: boolean
}

type Observed = Pick<ArenaReportPage, 'files' | 'pictures' | 'findings' | 'problems'>

/** The files of a page, and what the browser saw of it: as stored, or seen now. */
async function observePage(
  run: RunResult,
  { modelId, response }: { modelId: string; response: string },
  { storage, inspectPage, takesPictures }: ReportTools,
): Promise<Observed> {
  const cell = { runId: run.id, testCaseId: ARENA_CASE_ID, modelId }
  const stored = await loadInspection(storage, cell)
  const pictures = (stored && (await loadPictures(storage, cell, stored))) ?? []
  const isQuick = pictures.length > 0 || !takesPictures || response.trim() === ''
  const earlier = listEarlierAnswers(readArenaTask(run)?.conversation, modelId)
  const inspected = await inspectPage(response, { isQuick, earlier })
  const page = isQuick ? { ...stored, pictures } : inspected
  return {
    files: inspected.files.map(({ name, code }) => ({ name, code })),
    pictures: page.pictures,
    ...(page.findings && { findings: page.findings }),
    problems: [page.problem, page.notSeen].filter((problem) => problem !== undefined),
  }
}

async function loadPage(run: RunResult, modelId: string, tools: ReportTools): Promise<ArenaReportPage> {
  const result = run.results.find((cellResult) => cellResult.modelId === modelId)
  const { response = '', score, unscored, error, cost, latencyMs } = result ?? {}
  const { conversation } = readArenaTask(run) ?? {}
  const gaps = conversation ? listGaps(conversation, modelId) : []
  return {
    modelId,
    response,
    criteria: listCriteria(score),
    ...(await observePage(run, { modelId, response }, tools)),
    ...(score && { score: score.score, ...(score.notes !== undefined && { notes: score.notes }) }),
    ...(unscored && { unscored }),
    ...(error !== undefined && { error }),
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
  for (const [index, run] of runs.entries())
    for (const modelId of run.models)
      pages.push({ ...(await loadPage(run, modelId, tools)), ...(runs.length > 1 && { runNumber: index + 1 }) })
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
