import { RunnersOnly } from '../../access/for-runners.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCost, formatCount, summariseAudit } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice, Loading, OpenFailure } from '../../ui/Notice.tsx'
import { Page, Panel } from '../../ui/Page.tsx'
import { AuditFindings } from './AuditFindings.tsx'

/** One audit of a judge: every finding, and the cases behind it. */
export function AuditView({ params }: ScreenProps) {
  const id = params['id']!
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const audit = useQuery({
    queryKey: ['audit', id],
    queryFn: () => readReply(api.audits[':id'].$get({ param: { id } })),
    staleTime: Infinity,
  })
  const remove = useMutation({
    mutationFn: () => readReply(api.audits[':id'].$delete({ param: { id } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['audits'] })
      navigate('/judges')
    },
  })
  const allJudges = (
    <Link to="/judges" className={buttonClass()}>
      All judges
    </Link>
  )
  if (audit.isPending)
    return (
      <Page title="Audit">
        <Loading label="Loading the audit…" />
      </Page>
    )
  if (audit.error)
    return (
      <Page title="Audit">
        <OpenFailure
          title="The audit cannot be shown"
          failure={audit.error}
          onRetry={() => void audit.refetch()}
          back={allJudges}
        />
      </Page>
    )
  const { judgeModelId, source, savedAt, findings, status, asked, failed, cost } = audit.data
  const questions = `${formatCount(asked, 'question')}${failed > 0 ? `, ${formatCount(failed)} without a usable reply` : ''}`
  return (
    <Page
      title={`Audit of ${judgeModelId}`}
      subtitle={`${status === 'cancelled' ? 'stopped · ' : ''}${source} · ${questions} · ${formatCost(cost)} · ${formatLocalTime(savedAt)}`}
      actions={
        <>
          {allJudges}
          <RunnersOnly>
            <Button kind="danger" onClick={() => setAsking(true)}>
              Delete
            </Button>
          </RunnersOnly>
        </>
      }
    >
      <Dialog
        title="Delete this audit?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </>
        }
      >
        <p>Its figures and the replies of the judge cannot be brought back.</p>
        {remove.error && <FailureNotice title="The audit was not deleted" failure={remove.error} />}
      </Dialog>
      <p className="font-medium first-letter:uppercase">{summariseAudit(findings)}.</p>
      <Panel>
        <AuditFindings findings={findings} auditId={id} />
      </Panel>
    </Page>
  )
}
