import { Loaded } from '../../ui/Loaded.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCost, formatCount, summariseAudit } from '../../../report/words/index.ts'
import type { ListedAudit } from '../../../server/judges/audits.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Page, Panel } from '../../ui/Page.tsx'
import { AuditFindings } from './AuditFindings.tsx'

function AuditPage({ audit }: { audit: ListedAudit }) {
  const { id } = audit
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
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
  const { judgeModelId, source, savedAt, findings, status, asked, failed, cost } = audit
  const questions = `${formatCount(asked, 'request')}${failed > 0 ? `, ${formatCount(failed)} without a usable reply` : ''}`
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
        <FailureNotice title="The audit was not deleted" failure={remove.error} />
      </Dialog>
      <p className="font-medium first-letter:uppercase">{summariseAudit(findings)}.</p>
      <Panel>
        <AuditFindings findings={findings} auditId={id} />
      </Panel>
    </Page>
  )
}

/** One audit of a judge: every finding, and the cases behind it. */
export function AuditView({ params }: ScreenProps) {
  const id = params['id']!
  const audit = useQuery({
    queryKey: ['audit', id],
    queryFn: () => readReply(api.audits[':id'].$get({ param: { id } })),
    staleTime: Infinity,
  })
  return (
    <Loaded query={audit} what="the audit" page="Audit" back={{ to: '/judges', label: 'All judges' }}>
      {(loaded) => <AuditPage audit={loaded} />}
    </Loaded>
  )
}
