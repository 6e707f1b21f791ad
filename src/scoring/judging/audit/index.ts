export type { AuditAnswer } from './audit-answers.ts'
export { runAudits, type AuditDesign } from './audits.ts'
export type { AuditCase, AuditFigure, AuditFinding, AuditReply } from './finding.ts'
