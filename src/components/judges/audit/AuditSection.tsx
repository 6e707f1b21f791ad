import { Loaded } from '../../ui/Loaded.tsx'
import { useApp } from '../../queries.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LiveAudit } from '../../../server/judges/audits.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useAddress } from '../../router.tsx'
import { Section } from '../../ui/Page.tsx'
import { groupByJudge } from './audit-groups.ts'
import { AuditCard } from './AuditCard.tsx'
import { AuditForm } from './AuditForm.tsx'
import { AuditProgress } from './AuditProgress.tsx'

const FORM_ID = 'audit'

const isRunning = ({ problem }: LiveAudit) => problem === undefined

/** Audits of judges: start one, watch it, and see what the latest of each judge has found. */
export function AuditSection() {
  const [address] = useAddress()
  const app = useApp()
  const [chosen, setChosen] = useState(address.get('judge') ?? '')
  const audits = useQuery({
    queryKey: ['audits'],
    queryFn: () => readReply(api.audits.$get()),
    refetchInterval: ({ state }) => (state.data?.live.some(isRunning) ? 500 : false),
  })
  const judge = chosen || (app.data?.defaultJudge ?? '')
  const isBusy = audits.data?.live.some((live) => live.judgeModelId === judge && isRunning(live)) ?? false
  const auditAgain = (judgeModelId: string) => {
    setChosen(judgeModelId)
    document.querySelector(`#${FORM_ID}`)?.scrollIntoView({ block: 'start' })
  }
  return (
    <Section title="Audits" id={FORM_ID} aside="What sways a judge besides the quality of an answer?">
      <AuditForm judge={judge} onJudge={setChosen} isBusy={isBusy} />
      <Loaded
        query={audits}
        what="the audits"
        rows={3}
        isEmpty={({ live, audits: stored }) => live.length + stored.length === 0}
        empty={<p className="text-muted">No audits yet.</p>}
      >
        {({ live, audits: stored }) => (
          <>
            {live.map((one) => (
              <AuditProgress key={one.id} live={one} />
            ))}
            {groupByJudge(stored).map((group) => (
              <AuditCard key={group.judgeModelId} group={group} onAgain={() => auditAgain(group.judgeModelId)} />
            ))}
          </>
        )}
      </Loaded>
    </Section>
  )
}
