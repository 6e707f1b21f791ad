import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LiveAudit } from '../../../server/judges/audits.ts'
import { formatCost, formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { AuditFindings } from './AuditFindings.tsx'

/** An audit in progress: how far it is, what it has found so far, and how to stop it. */
export function AuditProgress({ live }: { live: LiveAudit }) {
  const { id, judgeModelId, done, total, failed, cost, findings, isStopping, problem } = live
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['audits'] })
  const stop = useMutation({
    mutationFn: () => readReply(api.audits[':id'].stop.$post({ param: { id } })),
    onSettled: refresh,
  })
  const dismiss = useMutation({
    mutationFn: () => readReply(api.audits[':id'].$delete({ param: { id } })),
    onSettled: refresh,
  })
  if (problem !== undefined)
    return (
      <Notice
        kind="error"
        title={`The audit of ${judgeModelId} failed`}
        action={<Button onClick={() => dismiss.mutate()}>Dismiss</Button>}
      >
        {problem}
      </Notice>
    )
  return (
    <Panel>
      <article aria-label={`Audit of ${judgeModelId} in progress`}>
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
          <div className="min-w-0 flex-1 basis-60">
            <span className="font-medium">
              <ModelName id={judgeModelId} withBadge={false} />
            </span>
            <ProgressBar label={`Audit of ${judgeModelId}`} value={done} max={total} />
            <div className="mt-1 text-[13px] text-muted">
              {formatCount(done)} of {formatCount(total, 'question')} · {formatCost(cost)}
              {failed > 0 && <span className="text-warning"> · {formatCount(failed)} without a usable reply</span>}
            </div>
          </div>
          <Button onClick={() => stop.mutate()} disabled={isStopping || stop.isPending}>
            {isStopping ? 'Stopping…' : 'Stop'}
          </Button>
        </header>
        <FailureNotice title="It could not be stopped" failure={stop.error} />
        {findings.length > 0 && (
          <div className="border-t border-line">
            <AuditFindings findings={findings} />
          </div>
        )}
      </article>
    </Panel>
  )
}
