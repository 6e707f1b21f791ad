import type { ReactNode } from 'react'
import { fitViewport } from './fit-viewport.ts'
import { PreviewStage } from './PreviewStage.tsx'
import { useBox } from './use-box.ts'
import type { PreviewFrames } from './use-frames.ts'
import { describeViewport } from '../../../report/words/code-arena.ts'

interface PageFrameProps {
  /** The name of the frame, for screen readers. */
  title: string
  width: number
  frames: PreviewFrames
  /** At the left of the bar above the page; `actions` is at the right. */
  lead?: ReactNode
  actions?: ReactNode
  /** Shown between the bar and the page. */
  notice?: ReactNode
  /** Shown instead of a page. */
  children?: ReactNode
}

/** A page of the given width, scaled to fit, under a bar of its own. */
export function PageFrame({ title, width, frames, lead, actions, notice, children }: PageFrameProps) {
  const [stage, box] = useBox<HTMLDivElement>()
  const fitted = fitViewport(width, box)
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 items-center gap-2 border-b border-line pr-1.5 pl-3">
        {lead}
        <span className="min-w-0 flex-1 truncate text-xs text-muted tabular-nums">
          {frames.frames.length > 0 && describeViewport(fitted)}
          {frames.isLoading && !frames.isLate && ' · loading…'}
        </span>
        <div className="flex shrink-0 items-center">{actions}</div>
      </div>
      {notice}
      <PreviewStage title={title} frames={frames} stage={stage} fitted={fitted}>
        {children}
      </PreviewStage>
    </div>
  )
}
