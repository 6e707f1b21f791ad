import type { ArenaInspection } from '../../../contract/index.ts'
import type { ShownPage } from '../../../stores/liveRunStore.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Screenshots } from './Screenshots.tsx'

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** Repeated lines are shown once, with their count. */
function Lines({ lines, max = 50 }: { lines: readonly string[]; max?: number }) {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  const shown = [...counts].slice(0, max)
  return (
    <ul className="flex flex-col divide-y divide-line">
      {shown.map(([line, count]) => (
        <li key={line} className="py-1 break-words">
          {line}
          {count > 1 && ` (${count} times)`}
        </li>
      ))}
      {counts.size > max && <li className="py-1 text-muted">and {counts.size - max} more</li>}
    </ul>
  )
}

function Accessibility({ findings }: { findings: ArenaInspection['accessibility'] }) {
  if (findings.length === 0) return <p className="text-muted">axe found no problems.</p>
  return (
    <ul className="flex flex-col divide-y divide-line">
      {findings.map(({ id, impact, help, count }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2 py-1">
          <Badge kind={impact === 'critical' || impact === 'serious' ? 'warning' : 'plain'}>{impact}</Badge>
          <span className="min-w-0 flex-1 basis-40 break-words">{help}</span>
          <span className="text-xs text-muted tabular-nums" title={id}>
            {formatCount(count, 'place')}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What the browser found; the judge sees the same. */
export function PanelFindings({ panel }: { panel: ShownPage }) {
  const { page: { inspection } = {}, modelId, state } = panel
  const isPending = state === 'running' || (state === 'pending' && panel.response === '')
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Findings about ${modelId}`}
      className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-3"
    >
      {!inspection && (
        <div className="text-muted">
          {isPending
            ? 'The page will be inspected in a browser once it is written.'
            : 'This page was not inspected in a browser.'}
        </div>
      )}
      {inspection && (
        <>
          {inspection.problem !== undefined && <Notice kind="warning">{inspection.problem}</Notice>}
          {inspection.screenshots.length > 0 && (
            <Part title="Screenshots">
              <Screenshots modelId={modelId} screenshots={inspection.screenshots} />
            </Part>
          )}
          {inspection.screenshots.length > 0 && (
            <>
              <Part title="Errors">
                {inspection.errors.length === 0 ? (
                  <p className="text-muted">No errors.</p>
                ) : (
                  <div className="text-danger">
                    <Lines lines={inspection.errors} />
                  </div>
                )}
              </Part>
              <Part title="Accessibility">
                <Accessibility findings={inspection.accessibility} />
              </Part>
              <Part title="Interactions">
                {inspection.interactions.length === 0 ? (
                  <p className="text-muted">There was nothing to click or fill in.</p>
                ) : (
                  <Lines lines={inspection.interactions} />
                )}
              </Part>
              {inspection.observations.length > 0 && (
                <Part title="Observed">
                  <Lines lines={inspection.observations} />
                </Part>
              )}
              {inspection.console.length > 0 && (
                <Part title="Console">
                  <Lines lines={inspection.console.map(({ level, text }) => `${level}: ${text}`)} />
                </Part>
              )}
              {inspection.blocked.length > 0 && (
                <Part title="Not loaded">
                  <Lines lines={inspection.blocked.map(({ url, why }) => `${url}: ${why}`)} />
                </Part>
              )}
            </>
          )}
        </>
      )}
    </div>
  )
}
