import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  describeBrokenReason,
  describeReasonShare,
  isExplained,
} from '../../../report/words/verdicts/failures/broken-reasons.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { viewAddress } from '../addresses.ts'

/** Why nothing passed: each reason with its evidence, an example and what to do; `otherwise` if they explain less than half. */
export function BrokenReasons({ selection, otherwise }: { selection: string; otherwise: ReactNode }) {
  const reasons = useQuery({
    queryKey: ['results', selection, 'reasons'],
    queryFn: () => readReply(api.overview[':selection'].reasons.$get({ param: { selection } })),
    staleTime: 30_000,
  })
  return (
    <Loaded query={reasons} what="the reasons" rows={4}>
      {({ cells, reasons: listed }) => (
        <>
          {listed.length > 0 && (
            <Section title="Likely reasons" aside={<span className="text-xs">most answers first</span>}>
              <Panel>
                <ol>
                  {listed.map((reason, index) => {
                    const { title, text, fix } = describeBrokenReason(reason, cells)
                    return (
                      <li
                        key={`${reason.kind} ${reason.message}`}
                        className="grid items-center gap-x-6 gap-y-2 border-t border-line px-5 py-3 first:border-t-0 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,3fr)]"
                      >
                        <div className="min-w-0">
                          <h3 className="flex gap-2 font-semibold">
                            <span className="text-muted tabular-nums">{index + 1}</span> {title}
                          </h3>
                          <p className="text-[13px] break-words text-muted">{text}</p>
                          <div aria-hidden className="mt-1.5 h-1.5 rounded-full bg-sunken">
                            <div
                              className="h-full rounded-full bg-fail-4"
                              style={{ width: `${(100 * reason.answers) / Math.max(1, cells)}%` }}
                            />
                          </div>
                        </div>
                        {reason.example ? (
                          <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-y-1 text-xs leading-5">
                            {reason.example.expected !== undefined && (
                              <>
                                <dt className="text-muted">Expected</dt>
                                <dd className="truncate font-mono">{reason.example.expected}</dd>
                              </>
                            )}
                            <dt className="text-muted">Got</dt>
                            <dd className="truncate font-mono" title={reason.example.got}>
                              {reason.example.got === '' ? '(empty)' : reason.example.got}
                            </dd>
                            <dt className="text-muted">Case</dt>
                            <dd className="truncate">
                              <Link
                                to={viewAddress(selection, 'cases', { case: reason.example.caseId })}
                                className="text-accent-ink hover:underline"
                              >
                                {reason.example.caseId}
                              </Link>
                            </dd>
                          </dl>
                        ) : (
                          <span className="max-lg:hidden" />
                        )}
                        <div className="min-w-0 text-[13px] lg:text-right">
                          <div className="font-semibold text-fail-text tabular-nums">
                            {describeReasonShare(reason, cells)}
                          </div>
                          <p className="break-words text-muted">{fix}</p>
                        </div>
                      </li>
                    )
                  })}
                </ol>
              </Panel>
            </Section>
          )}
          {!isExplained({ cells, reasons: listed }) && otherwise}
        </>
      )}
    </Loaded>
  )
}
