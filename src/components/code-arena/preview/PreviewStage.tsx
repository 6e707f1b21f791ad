import { iframeSandbox } from '../../../contract/index.ts'
import type { ReactNode, RefObject } from 'react'
import { classes } from '../../ui/classes.ts'
import type { FittedViewport } from './fit-viewport.ts'
import type { PreviewFrames } from './use-frames.ts'

interface PreviewStageProps {
  /** The name of the frame, for screen readers. */
  title: string
  frames: PreviewFrames
  /** The box that the page is fitted into. */
  stage: RefObject<HTMLDivElement | null>
  fitted: FittedViewport
  /** Shown instead of a page. */
  children?: ReactNode
}

/** The page in a frame, scaled to fit. A newer version loads hidden behind it, then replaces it. */
export function PreviewStage({ title, frames, stage, fitted, children }: PreviewStageProps) {
  return (
    <div ref={stage} className="relative min-h-0 flex-1 overflow-hidden bg-sunken">
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
  )
}
