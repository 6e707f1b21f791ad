import { useModels } from '../../queries.ts'
import { forRunners } from '../../access/for-runners.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { auditNames, type AuditName } from '../../../contract/index.ts'
import { auditWords, formatCost, formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/Field.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { isSimulated } from '../../ui/names/simulated.ts'
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
  const models = useModels()
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
      <div className="grid gap-3 sm:grid-cols-2 lg:max-w-4xl lg:grid-cols-[1fr_1fr_10rem]">
        <SelectField label="Judge to audit" value={judge} onChange={(event) => onJudge(event.target.value)}>
          {!models.data?.models.some(({ id }) => id === judge) && <option value={judge}>{judge}</option>}
          {models.data?.models.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </SelectField>
        <SelectField label="Answers" value={runId} onChange={(event) => setRunId(event.target.value)}>
          <option value="">The built-in answers</option>
          {runs.data?.runs.map((run) => (
            <option key={run.id} value={run.id}>
              {describeRun(run)}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Budget in dollars"
          placeholder="no limit"
          inputMode="decimal"
          value={maxCostText}
          onChange={(event) => setMaxCostText(event.target.value)}
          error={'problem' in maxCost ? maxCost.problem : undefined}
        />
      </div>
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
            }${isSimulated(judge) ? ` ${judge} is simulated.` : ''}`}
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

export const AuditForm = forRunners(AuditFormForRunners)
