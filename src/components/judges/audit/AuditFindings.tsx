import type { ListedFinding } from '../../../server/judges/audits.ts'
import {
  auditWords,
  describeAuditVerdict,
  formatAuditFigure,
  formatAuditInterval,
} from '../../../report/words/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { AuditCases } from './AuditCases.tsx'
import { AuditFigureMark } from './AuditFigureMark.tsx'

function Status({ finding }: { finding: ListedFinding }) {
  const { status } = finding
  const word = describeAuditVerdict(finding)
  if (status === 'not-found') return <span className="text-xs leading-5 text-muted">{word}</span>
  return <Badge kind={status === 'found' ? 'danger' : 'warning'}>{word}</Badge>
}

/** A row for each audit: what was found, its figure with the interval, and the cases behind it. */
export function AuditFindings({ findings, auditId }: { findings: readonly ListedFinding[]; auditId?: string }) {
  return (
    <ul className="divide-y divide-line">
      {findings.map((finding) => {
        const { audit, sentence, figure } = finding
        const { title, question } = auditWords[audit]
        return (
          <li key={audit} className="flex flex-col gap-1 px-3 py-2.5">
            <div className="grid items-start gap-x-4 gap-y-1 md:grid-cols-[9rem_minmax(0,1fr)] lg:grid-cols-[9rem_minmax(0,1fr)_13rem]">
              <div className="flex flex-wrap items-center gap-x-2 md:flex-col md:items-start" title={question}>
                <h3 className="font-medium">{title}</h3>
                <Status finding={finding} />
              </div>
              <p className="max-w-prose min-w-0 break-words">{sentence}</p>
              {figure && (
                <div className="min-w-0 md:col-start-2 lg:col-start-3">
                  <AuditFigureMark figure={figure} />
                  <div className="mt-0.5 text-xs text-muted">
                    <span className="font-medium text-ink">{formatAuditFigure(figure)}</span> (
                    {formatAuditInterval(figure)})<span className="block">{figure.name}</span>
                  </div>
                </div>
              )}
            </div>
            {auditId !== undefined && finding.planned > 0 && <AuditCases auditId={auditId} finding={finding} />}
          </li>
        )
      })}
    </ul>
  )
}
