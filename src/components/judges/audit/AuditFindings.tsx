import type { AuditCase, AuditFigure, ListedFinding } from '../../../server/judges/audits.ts'
import {
  auditWords,
  describeAuditReplies,
  describeAuditVerdict,
  formatAuditFigure,
  formatAuditInterval,
  formatP,
} from '../../../report/words/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DifferenceMark } from '../../results/compare/DifferenceMark.tsx'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { reachOf } from './audit-groups.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { describeAuditSize } from '../../../report/words/judges/audit.ts'

type Figure = NonNullable<ListedFinding['figure']>

/** The standard deviations of judges lie within this; a larger one is drawn at its end. */
const MAX_DEVIATION = 0.3

/** A figure with its interval: changes around 0, shares and deviations from 0. */
function AuditFigureMark({ figure }: { figure: Figure }) {
  const { value, low, high, unit, name } = figure
  const label = `${name}: ${formatAuditFigure(figure)}, 95 % CI ${formatAuditInterval(figure)}`
  if (unit === 'change')
    return <DifferenceMark mean={value} low={low} high={high} reach={reachOf(figure)} label={label} />
  const domain: [number, number] = unit === 'points' ? [0, MAX_DEVIATION] : [0, 1]
  return <IntervalMark mean={value} low={low} high={high} domain={domain} label={label} />
}

const SHOWN_AT_FIRST = 8

/** Each once: a judge that is asked again mostly says the same. */
function listTexts(texts: readonly (string | undefined)[]): string {
  return [...new Set(texts)].filter((text) => text !== undefined && text !== '').join(' / ')
}

/** What the judge was shown, and what it said. */
function OneCase({ one }: { one: AuditCase }) {
  return (
    <details className="rounded-md border border-line px-2 py-1.5">
      <summary className="cursor-pointer break-words">
        <span className={one.supports ? 'font-medium' : 'text-muted'}>{one.id}</span>{' '}
        <span className="text-muted">{describeAuditReplies(one)}</span>
      </summary>
      <div className="mt-2 flex flex-col gap-2">
        <div>
          <div className="text-xs text-muted">task</div>
          <div className="max-h-40 overflow-auto text-[13px] break-words whitespace-pre-wrap" tabIndex={0}>
            {one.prompt}
          </div>
        </div>
        {one.shown.map(({ label, text }) => (
          <div key={label}>
            <div className="text-xs text-muted">{label}</div>
            <div
              className="max-h-40 overflow-auto rounded bg-sunken px-2 py-1 text-[13px] break-words whitespace-pre-wrap"
              tabIndex={0}
            >
              {text === '' ? <span className="text-muted">(empty)</span> : text}
            </div>
          </div>
        ))}
        <ul className="flex flex-col gap-1">
          {[...Map.groupBy(one.replies, ({ label }) => label)].map(([label, replies]) => (
            <li key={label} className="break-words">
              {describeAuditReplies({ replies })}{' '}
              <span className="text-warning">{listTexts(replies.map(({ problem }) => problem))}</span>{' '}
              <span className="text-muted">{listTexts(replies.map(({ reasoning }) => reasoning))}</span>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

function MoreFigures({ figures }: { figures: readonly AuditFigure[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-0.5 text-[13px] sm:grid-cols-[max-content_1fr]">
      {figures.map((figure) => (
        <div key={figure.name} className="contents">
          <dt className="text-muted">{figure.name}</dt>
          <dd className="mb-1 sm:mb-0">
            {formatAuditFigure(figure)} ({formatAuditInterval(figure)})
          </dd>
        </div>
      ))}
    </dl>
  )
}

function CaseList({ cases }: { cases: readonly AuditCase[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (cases.length === 0) return <p className="text-muted">The texts are too long to be shown.</p>
  return (
    <>
      {cases.slice(0, showsAll ? undefined : SHOWN_AT_FIRST).map((one) => (
        <OneCase key={one.id} one={one} />
      ))}
      {!showsAll && cases.length > SHOWN_AT_FIRST && (
        <Button kind="quiet" className="self-start" onClick={() => setShowsAll(true)}>
          Show all {cases.length}
        </Button>
      )}
    </>
  )
}

/** The cases behind a finding, loaded when they are opened; those that speak for it first. */
function AuditCases({ auditId, finding }: { auditId: string; finding: ListedFinding }) {
  const [isOpen, setOpen] = useState(false)
  const audit = useQuery({
    queryKey: ['audit', auditId],
    queryFn: () => readReply(api.audits[':id'].$get({ param: { id: auditId } })),
    enabled: isOpen,
    staleTime: Infinity,
  })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-[13px] text-muted hover:text-ink">{describeAuditSize(finding)}</summary>
      <div className="mt-2 flex flex-col gap-2">
        {finding.figures.length > 0 && <MoreFigures figures={finding.figures} />}
        {/* Two hundred hidden cases would slow down every screen with a card. */}
        {isOpen && (
          <Loaded query={audit} what="the cases" rows={3}>
            {({ findings }) => <CaseList cases={findings.find((one) => one.audit === finding.audit)?.cases ?? []} />}
          </Loaded>
        )}
      </div>
    </details>
  )
}

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
        const { audit, sentence, figure, adjustedP } = finding
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
                    {adjustedP !== undefined && (
                      <span className="block">{formatP(adjustedP)}, corrected for all audits</span>
                    )}
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
