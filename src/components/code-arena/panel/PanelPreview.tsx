import type { ArenaPanel } from '../../../contract/index.ts'
import { Maximize2, Minimize2, OctagonX, RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { findProblems } from '../preview/page-problems.ts'
import { PageProblems } from '../preview/PageProblems.tsx'
import { PreviewStage } from '../preview/PreviewStage.tsx'
import type { PreviewFrames } from '../preview/use-frames.ts'
import type { ShownPreview } from '../preview/use-preview.ts'
import { ViewportSwitch } from '../preview/ViewportSwitch.tsx'

/** The browser's own full screen, because Esc leaves it even if the page has the focus. */
function useFullScreen() {
  const container = useRef<HTMLDivElement>(null)
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const listen = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === container.current)
    document.addEventListener('fullscreenchange', listen)
    return () => document.removeEventListener('fullscreenchange', listen)
  }, [])
  const toggle = () => {
    const done = isFull ? document.exitFullscreen() : container.current?.requestFullscreen()
    done?.catch(() => toast('This browser does not allow full screen here.'))
  }
  return { container, isFull, toggle }
}

const messages: Partial<Record<ArenaPanel['state'], string>> = {
  asking: 'The page will appear here once enough of it is written.',
  streaming: 'The page will appear here once enough of it is written.',
  scoring: 'Assembling the page…',
  scored: 'Assembling the page…',
  unscored: 'Assembling the page…',
  error: 'There is no page, because the request failed. Resume retries it.',
}

function Missing({ shown, state }: { shown: ShownPreview; state: ArenaPanel['state'] }) {
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
  return <div className="max-w-prose text-center text-muted">{messages[state] ?? 'No page yet.'}</div>
}

interface PanelPreviewProps {
  modelId: string
  shown: ShownPreview
  frames: PreviewFrames
  width: number
  onWidth: (width: number) => void
  state: ArenaPanel['state']
  /** CSS height of the stage. */
  height: string
}

export function PanelPreview({ modelId, shown, frames, width, onWidth, state, height }: PanelPreviewProps) {
  const { container, isFull, toggle } = useFullScreen()
  const { isStopped, isLate } = frames
  const hasPage = shown.url !== undefined
  return (
    <div ref={container} className="flex min-w-0 flex-col bg-surface" style={{ height: isFull ? '100dvh' : height }}>
      <PreviewStage
        title={`Page by ${modelId}`}
        width={width}
        frames={frames}
        lead={isFull && <ViewportSwitch width={width} onChange={onWidth} />}
        actions={
          <>
            {hasPage && !isStopped && (
              <Button
                kind="quiet"
                className="px-2!"
                aria-label="Stop this preview"
                onClick={frames.stop}
                title="Removes the page, whatever it is doing"
              >
                <OctagonX size={14} aria-hidden />
                Stop
              </Button>
            )}
            <IconButton label="Reload the page" disabled={!hasPage || isStopped} onClick={frames.reload}>
              <RotateCw size={14} aria-hidden />
            </IconButton>
            <IconButton
              label={isFull ? 'Exit full screen' : 'Full screen'}
              disabled={!hasPage && !isFull}
              onClick={toggle}
            >
              {isFull ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
            </IconButton>
          </>
        }
        notice={
          hasPage &&
          !isStopped && (
            <>
              {isLate && (
                <div className="p-2">
                  <Notice kind="warning">
                    The page has not finished loading and may be in an endless loop. It does not affect anything else.
                  </Notice>
                </div>
              )}
              {shown.isFinal && <PageProblems problems={findProblems(frames.messages, shown.preview?.missing)} />}
            </>
          )
        }
      >
        {isStopped ? (
          <div className="flex flex-col items-center gap-2">
            <div className="text-center text-muted">
              {frames.isFlood ? 'The page was stopped because it sent too many messages.' : 'The preview was stopped.'}
            </div>
            <Button onClick={frames.restart}>Restart</Button>
          </div>
        ) : hasPage ? undefined : (
          <Missing shown={shown} state={state} />
        )}
      </PreviewStage>
    </div>
  )
}
