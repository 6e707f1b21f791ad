import type { RunResult, RunSummary, Storage } from '../../contract/index.ts'
import { requestOf } from '../../services/index.ts'
import { measureJudgeAgreement, type JudgeAgreement } from '../../statistics/index.ts'
import { createPauses } from '../results/selection/pauses.ts'

/** GET /api/judges/agreement: how far a panel agrees, over the recent runs it judged. */
export interface PanelAgreement {
  agreement: JudgeAgreement
  /** The number of runs it judged. */
  runs: number
}

const RECENT_RUNS = 30

/** Larger runs are left out: their verdicts would take seconds to load and add little. */
const MAX_CELLS = 20_000

/** A run judged by a panel, with only the judges' verdicts. */
type JudgedRun = Pick<RunResult, 'id' | 'models' | 'results'> & { panel: string }

function fingerprintOf({ status, completedAt, cells }: RunSummary): string {
  return JSON.stringify([status, completedAt, cells])
}

function keepVerdicts(run: RunResult): JudgedRun | undefined {
  const { id, models, results } = run
  const judges = requestOf(run).judgeModelIds
  if (judges.length < 2) return undefined
  const judged = results.filter(({ score }) => score?.judges || score?.checks?.some((check) => check.judges))
  return {
    id,
    models,
    panel: judges.toSorted().join(','),
    results: judged.map(({ testCaseId, modelId, score }) => ({ testCaseId, modelId, ...(score && { score }) })),
  }
}

/** Measures how far the judges of each panel agree, over its recent runs; the most recent panel comes first. */
export function createPanels(context: { storage: Storage }) {
  const cache = new Map<string, { state: string; judged: JudgedRun | undefined }>()

  const load = async (summary: RunSummary): Promise<JudgedRun | undefined> => {
    const state = fingerprintOf(summary)
    const cached = cache.get(summary.id)
    if (cached?.state === state) return cached.judged
    const run = await context.storage.loadRun(summary.id, { texts: false })
    const judged = run && keepVerdicts(run)
    cache.set(summary.id, { state, judged })
    return judged
  }

  return {
    async measure(): Promise<PanelAgreement[]> {
      const summaries = await context.storage.listRuns({ limit: RECENT_RUNS })
      const recent = new Set(summaries.map(({ id }) => id))
      for (const id of cache.keys()) if (!recent.has(id)) cache.delete(id)
      const judged: JudgedRun[] = []
      for (const summary of summaries) {
        const run = summary.cells.total <= MAX_CELLS && summary.cells.scored > 0 ? await load(summary) : undefined
        if (run) judged.push(run)
      }
      const panels: PanelAgreement[] = []
      const pauses = createPauses()
      for (const runs of Map.groupBy(judged, ({ panel }) => panel).values()) {
        const agreement = measureJudgeAgreement(runs)
        if (agreement) panels.push({ agreement, runs: runs.length })
        if (pauses.isDue()) await pauses.take()
      }
      return panels
    },
  }
}
