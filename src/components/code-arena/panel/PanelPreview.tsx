import type { CellState, CellStep } from '../../../contract/index.ts'
import type { RefObject } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import type { FittedViewport } from '../preview/fit-viewport.ts'
import { findProblems } from '../preview/page-problems.ts'
import { PageProblems } from '../preview/PageProblems.tsx'
import { PreviewStage } from '../preview/PreviewStage.tsx'
import type { PreviewFrames } from '../preview/use-frames.ts'
import type { ShownPreview } from '../preview/use-preview.ts'

const messages: Partial<Record<CellState | CellStep, string>> = {
  sent: 'The page will appear here once enough of it is written.',
  streaming: 'The page will appear here once enough of it is written.',
  scoring: 'Assembling the page…',
  scored: 'Assembling the page…',
  unscored: 'Assembling the page…',
  error: 'There is no page, because the request failed. Resume retries it.',
}

function Missing({ shown, state, isLive }: Pick<PanelPreviewProps, 'shown' | 'state' | 'isLive'>) {
  const { preview, failure, retry, isFinal } = shown
  if (failure !== undefined)
    return (
      <FailureNotice
        title="The page could not be assembled"
        failure={failure}
        action={<Button onClick={retry}>Try again</Button>}
      />
    )
  if (isFinal && preview)
    return (
      <div className="max-w-prose text-center">
        <div className="font-medium">This answer contains nothing to run.</div>
        <div className="break-words text-muted">{preview.problem ?? 'See Code for what the model wrote.'}</div>
      </div>
    )
  const none = isLive ? 'No page yet.' : 'No page: the run stopped before this model. Resume runs it.'
  return <div className="max-w-prose text-center text-muted">{messages[state] ?? none}</div>
}

interface PanelPreviewProps {
  /** The name of the frame, for screen readers. */
  title: string
  shown: ShownPreview
  frames: PreviewFrames
  stage: RefObject<HTMLDivElement | null>
  fitted: FittedViewport
  /** Of a running page, its step. */
  state: CellState | CellStep
  isLive: boolean
}

export function PanelPreview({ title, shown, frames, stage, fitted, state, isLive }: PanelPreviewProps) {
  const { isStopped, isLate } = frames
  const hasPage = shown.url !== undefined
  return (
    <>
      {hasPage && !isStopped && shown.isFinal && (
        <PageProblems
          problems={findProblems(frames.messages, shown.preview)}
          installable={shown.preview?.installable}
        />
      )}
      <PreviewStage title={title} frames={frames} stage={stage} fitted={fitted}>
        {isStopped ? (
          <div className="flex flex-col items-center gap-2">
            <div className="text-center text-muted">
              {frames.isFlood ? 'The page was stopped because it sent too many messages.' : 'The preview was stopped.'}
            </div>
            <Button onClick={frames.restart}>Restart</Button>
          </div>
        ) : hasPage ? undefined : (
          <Missing shown={shown} state={state} isLive={isLive} />
        )}
      </PreviewStage>
      {hasPage && !isStopped && isLate && (
        // Over the page, which would be resized twice otherwise.
        <div className="absolute inset-x-0 bottom-0 p-2">
          <Notice kind="warning">
            The page has not finished loading and may be in an endless loop. It does not affect anything else.
          </Notice>
        </div>
      )}
    </>
  )
}
