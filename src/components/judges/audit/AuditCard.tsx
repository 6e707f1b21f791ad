import type { JudgeAudits } from './audit-groups.ts'
import { summariseAudit } from '../../../report/words/index.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { Panel } from '../../ui/Page.tsx'
import { AuditFindings } from './AuditFindings.tsx'

const auditAddress = (id: string) => `/judges/audits/${encodeURIComponent(id)}`

/** The latest audit of a judge, and links to its earlier ones. */
export function AuditCard({ group, onAgain }: { group: JudgeAudits; onAgain: () => void }) {
  const { judgeModelId, latest, earlier } = group
  return (
    <Panel>
      <article aria-label={`Audit of ${judgeModelId}`}>
        <header className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line px-3 py-2">
          <div className="min-w-0 flex-1 basis-60">
            <Link to={auditAddress(latest.id)} className="font-medium text-accent-ink hover:underline">
              <ModelName id={judgeModelId} withBadge={false} />
            </Link>
            <div className="text-[13px] text-muted">
              {latest.status === 'cancelled' && 'stopped · '}
              {summariseAudit(latest.findings)} · {latest.source} · {formatLocalTime(latest.savedAt)}
            </div>
          </div>
          <Button onClick={onAgain}>Audit again</Button>
        </header>
        <AuditFindings findings={latest.findings} auditId={latest.id} />
        {earlier.length > 0 && (
          <details className="border-t border-line px-3 py-2">
            <summary className="cursor-pointer text-[13px] text-muted hover:text-ink">
              {earlier.length === 1 ? '1 earlier audit' : `${earlier.length} earlier audits`}
            </summary>
            <ul className="mt-1 flex flex-col gap-1">
              {earlier.map(({ id, savedAt, findings, source }) => (
                <li key={id} className="break-words">
                  <Link to={auditAddress(id)} className="text-accent-ink hover:underline">
                    {formatLocalTime(savedAt)}
                  </Link>{' '}
                  <span className="text-muted">
                    {summariseAudit(findings)} · {source}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </article>
    </Panel>
  )
}
