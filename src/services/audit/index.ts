export { auditJudge, type AuditProgress, type AuditResult, type AuditSettings } from './audit.ts'
export { estimateAudit, type AuditEstimate } from './estimate-audit.ts'
export { loadRunAnswers } from './run-answers.ts'
export { deleteAudit, findAudit, listAudits, saveAudit, type StoredAudit } from './stored-audits.ts'
