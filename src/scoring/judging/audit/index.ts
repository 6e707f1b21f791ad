export type { AuditAnswer } from './audit-answers.ts'
export { runAudits, type AuditDesign } from './audits.ts'
export {
  auditNames,
  type AuditCase,
  type AuditFigure,
  type AuditFinding,
  type AuditName,
  type AuditReply,
} from './finding.ts'
