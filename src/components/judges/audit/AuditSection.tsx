import { Loaded } from '../../ui/Loaded.tsx'
import { useApp } from '../../queries.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LiveAudit } from '../../../server/judges/audits.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { groupByJudge, type JudgeAudits } from './audit-groups.ts'
import { formatCost, formatCount, summariseAudit, auditWords } from '../../../report/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { AuditFindings } from './AuditFindings.tsx'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { forRunners } from '../../access/for-runners.tsx'
import { auditNames, type AuditName } from '../../../contract/index.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Checkbox, SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { ModelSelect } from '../../ui/names/ModelSelect.tsx'
import { describeRun } from '../describe-run.ts'
import { readMaxCost } from './max-cost.ts'

interface AuditFormProps {
  judge: string
  onJudge(judge: string): void
  /** That judge is being audited. */
  isBusy: boolean
}

/** What to audit, with what, and what it would cost. */
function AuditFormForRunners({ judge, onJudge, isBusy }: AuditFormProps) {
  const queries = useQueryClient()
  const runs = useQuery({
    queryKey: ['runs', 'rated'],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '50' } })),
  })
  const [runId, setRunId] = useState('')
  const [chosen, setChosen] = useState<readonly AuditName[]>(auditNames)
  const [maxCostText, setMaxCostText] = useState('')
  const maxCost = readMaxCost(maxCostText)
  const request = {
    judgeModelId: judge,
    only: [...chosen],
    ...(runId !== '' && { runId }),
    ...('dollars' in maxCost && { maxCost: maxCost.dollars }),
  }
  const isComplete = judge !== '' && chosen.length > 0 && !('problem' in maxCost)
  const estimate = useQuery({
    queryKey: ['auditEstimate', request],
    queryFn: () => readReply(api.audits.estimate.$post({ json: request })),
    enabled: isComplete,
    retry: false,
    staleTime: 60_000,
  })
  const start = useSingleMutation({
    mutationFn: () => readReply(api.audits.$post({ json: request })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['audits'] }),
  })
  const toggle = (name: AuditName, isChosen: boolean) =>
    setChosen(auditNames.filter((audit) => (audit === name ? isChosen : chosen.includes(audit))))

  return (
    <Panel className="flex flex-col gap-3 p-3">
      <div className="grid gap-3 sm:grid-cols-2 lg:max-w-4xl">
        <ModelSelect label="Judge to audit" value={judge} onChange={onJudge} />
        <SelectField label="Answers" value={runId} onChange={setRunId}>
          <option value="">The built-in answers</option>
          <SelectOptions
            of={runs.data?.runs.map((run) => [run.id, describeRun({ ...run, suite: run.testSuiteName })])}
          />
        </SelectField>
      </div>
      <details>
        <summary className="w-fit text-[13px] text-muted hover:text-ink">
          Options: {chosen.length === auditNames.length ? 'all ' : `${formatCount(chosen.length)} of `}
          {formatCount(auditNames.length, 'audit')}
          {'dollars' in maxCost ? `, at most ${formatCost(maxCost.dollars)}` : ''}
        </summary>
        <div className="mt-2 flex flex-col gap-3">
          <TextField
            label="Budget in dollars"
            className="w-40"
            placeholder="no limit"
            inputMode="decimal"
            value={maxCostText}
            onChange={setMaxCostText}
            error={'problem' in maxCost ? maxCost.problem : undefined}
          />
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1 text-[13px] font-medium">What to look for</legend>
            {auditNames.map((name) => (
              <Checkbox
                key={name}
                checked={chosen.includes(name)}
                onChange={(event) => toggle(name, event.target.checked)}
                label={
                  <>
                    {auditWords[name].title} <span className="text-muted">{auditWords[name].question}</span>
                  </>
                }
              />
            ))}
          </fieldset>
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isComplete || isBusy || start.isPending} onClick={() => start.mutate()}>
          Audit
        </Button>
        <span className="text-muted">
          {estimate.data &&
            `${formatCount(estimate.data.requests, 'request')}, ${
              estimate.data.cost === null
                ? 'at an unknown price.'
                : `about ${formatCost(estimate.data.likelyCost)}, at most ${formatCost(estimate.data.cost)}.`
            }`}
        </span>
      </div>
      {estimate.data?.notTestable.map((reason) => (
        <p key={reason} className="text-warning">
          {reason}
        </p>
      ))}
      <FailureNotice title="This audit is not possible" failure={estimate.error} />
      <FailureNotice title="The audit was not started" failure={start.error} />
    </Panel>
  )
}

const AuditForm = forRunners(AuditFormForRunners)

const auditAddress = (id: string) => `/judges/audits/${encodeURIComponent(id)}`

/** The latest audit of a judge, and links to its earlier ones. */
function AuditCard({ group, onAgain }: { group: JudgeAudits; onAgain: () => void }) {
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

/** An audit in progress: how far it is, what it has found so far, and how to stop it. */
function AuditProgress({ live }: { live: LiveAudit }) {
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
