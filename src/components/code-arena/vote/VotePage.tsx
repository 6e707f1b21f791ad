import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { OctagonX, RotateCw } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { PreviewStage } from '../preview/PreviewStage.tsx'
import { useFrames } from '../preview/use-frames.ts'

/** One of the two anonymous pages. */
export function VotePage({ side, page, width }: { side: 'A' | 'B'; page: PreviewView; width: number }) {
  const frames = useFrames(page.url, true)
  return (
    <section
      aria-label={`Page ${side}`}
      className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex h-90 flex-col lg:h-[max(360px,calc(100dvh-262px))]">
        <PreviewStage
          title={`Page ${side}`}
          width={width}
          frames={frames}
          lead={<h2 className="text-base font-semibold">{side}</h2>}
          actions={
            <>
              {!frames.isStopped && (
                <Button kind="quiet" className="px-2!" aria-label={`Stop page ${side}`} onClick={frames.stop}>
                  <OctagonX size={14} aria-hidden />
                  Stop
                </Button>
              )}
              <IconButton label={`Reload page ${side}`} disabled={frames.isStopped} onClick={frames.reload}>
                <RotateCw size={14} aria-hidden />
              </IconButton>
            </>
          }
        >
          {frames.isStopped ? (
            <div className="flex flex-col items-center gap-2">
              <div className="text-center text-muted">
                {frames.isFlood ? 'The page was stopped because it sent too many messages.' : 'The page was stopped.'}
              </div>
              <Button onClick={frames.restart}>Restart</Button>
            </div>
          ) : undefined}
        </PreviewStage>
      </div>
    </section>
  )
}
