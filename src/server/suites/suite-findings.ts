import { checkSuite, type SuiteFindings } from '../../report/checking/check-suite.ts'
import { describeConversations } from '../../report/checking/conversation-findings.ts'
import { checkConversations, loadSuiteRuns } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { loadRunnableSuite } from './suite-documents.ts'

/** GET /api/suites/:id/findings */
export interface SuiteFindingsView extends SuiteFindings {
  /** The newest run that was looked at, for links to its cases. */
  runId: string | null
}

/** What is wrong with a suite, by itself and by its newest runs. */
export async function findSuiteProblems(
  id: string,
  { storage, now, runTools }: ServerContext,
): Promise<SuiteFindingsView> {
  const { suite } = await loadRunnableSuite(storage, id)
  const runs = await loadSuiteRuns({ id, name: suite.name }, { storage, now: now() })
  const played = describeConversations(await checkConversations(suite, runTools().scoring))
  const checked = checkSuite(suite, runs)
  return { ...checked, findings: [...played, ...checked.findings], runId: runs[0]?.id ?? null }
}
