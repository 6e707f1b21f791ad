import { iframeSandbox } from '../../../contract/index.ts'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { describeViewport, fitViewport } from './fit-viewport.ts'
import { useBox } from './use-box.ts'
import type { PreviewFrames } from './use-frames.ts'

interface PreviewStageProps {
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

/** The page in a frame of the given width, scaled to fit. A newer version loads hidden behind it, then replaces it. */
export function PreviewStage({ title, width, frames, lead, actions, notice, children }: PreviewStageProps) {
  const [container, box] = useBox<HTMLDivElement>()
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
      <div ref={container} className="relative min-h-0 flex-1 overflow-hidden bg-sunken">
        {frames.frames.map((frame, index) => (
          <iframe
            key={frame.key}
            ref={(element) => frames.register(frame.key, element)}
            title={index === 0 ? title : `${title}, loading`}
            src={frame.url}
            sandbox={iframeSandbox}
            referrerPolicy="no-referrer"
            allow=""
            onLoad={() => frames.onLoaded(frame.key)}
            // A hidden page must not take the focus.
            {...(index > 0 && { inert: true, 'aria-hidden': true, tabIndex: -1 })}
            className={classes(
              'absolute top-0 border-0 bg-white scheme-light',
              // Not 0: the browser would not paint it, and the screen would flash when it is shown.
              index > 0 && 'pointer-events-none opacity-[0.01]',
            )}
            style={{
              width: fitted.width,
              height: fitted.height,
              left: fitted.left,
              transform: `scale(${fitted.scale})`,
              transformOrigin: 'top left',
            }}
          />
        ))}
        {frames.isPaused && (
          <div className="absolute inset-0 flex items-center justify-center p-4 text-center text-muted">
            Paused while you type.
          </div>
        )}
        {children !== undefined && (
          <div className="absolute inset-0 flex items-center justify-center overflow-auto p-4">{children}</div>
        )}
      </div>
    </div>
  )
}
