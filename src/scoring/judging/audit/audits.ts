import { auditNames, type AuditName } from '../../../contract/index.ts'
import { createRandom } from '../../../statistics/numbers/random.ts'
import { createJudgeClient, type JudgeClient, type JudgeClientTools } from './judge-client.ts'
import { builtInAuditAnswers, type AuditAnswer } from './audit-answers.ts'
import { auditCanaries } from './canary-audit.ts'
import type { AuditMaterial } from './choose-answers.ts'
import type { AuditFinding } from './finding.ts'
import { auditPosition } from './position.ts'
import { auditSelfPreference } from './self-preference-audit.ts'
import { auditTestRetest } from './test-retest.ts'
import { auditVerbosity } from './verbosity.ts'

const AUDITS: Record<AuditName, (material: AuditMaterial, judgeClient: JudgeClient) => Promise<AuditFinding>> = {
  'test-retest': auditTestRetest,
  position: auditPosition,
  verbosity: auditVerbosity,
  'self-preference': auditSelfPreference,
  canaries: auditCanaries,
}

export interface AuditDesign {
  /** The built-in ones by default. */
  answers?: readonly AuditAnswer[] | undefined
  /** All by default. */
  only?: readonly AuditName[] | undefined
  /** At most this many answers, pairs or questions for each audit. */
  limit?: number | undefined
  /** The same seed draws the same answers. Default 1. */
  seed?: number | undefined
}

/** Runs the audits one after another, so that one that is stopped leaves the earlier ones complete. */
export async function runAudits(
  { answers = builtInAuditAnswers, only = auditNames, limit, seed = 1 }: AuditDesign,
  tools: JudgeClientTools & { onFinding?: ((finding: AuditFinding) => void) | undefined },
): Promise<AuditFinding[]> {
  const judgeClient = createJudgeClient(tools)
  const findings: AuditFinding[] = []
  for (const name of auditNames.filter((audit) => only.includes(audit))) {
    const random = createRandom(`${seed} ${name}`)
    const finding = await AUDITS[name]({ judgeModelId: tools.judgeModelId, answers, limit, random }, judgeClient)
    findings.push(finding)
    tools.onFinding?.(finding)
  }
  return findings
}
