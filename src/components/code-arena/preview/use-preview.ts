import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import type { ArenaPanel } from '../../../contract/index.ts'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { isWhole } from '../arena-state.ts'
import { createPreviewUpdater } from './preview-updater.ts'

export interface ShownPreview {
  preview?: PreviewView | undefined
  /** Made of the whole answer: what it says is final. */
  isFinal: boolean
  /** The last page that could run: a half-written one that cannot does not take it away. */
  url?: string | undefined
  failure?: unknown
  retry: () => void
}

type Known = Omit<ShownPreview, 'retry'>

const after = (milliseconds: number, call: () => void) => {
  const timer = window.setTimeout(call, milliseconds)
  return () => window.clearTimeout(timer)
}

/** The page of a panel, made anew as its answer arrives. For one panel: another has another component. */
export function usePreview(runId: string, panel: ArenaPanel): ShownPreview {
  const [known, setKnown] = useState<Known>({ isFinal: false })
  const [updater] = useState(() =>
    createPreviewUpdater({
      ask: (request) => readReply(api.codeArena.preview.$post({ json: request })),
      onPreview: (preview, isFinal) =>
        setKnown(({ url }) => ({ preview, isFinal, url: isFinal ? preview.url : (preview.url ?? url) })),
      onFailure: (failure) => setKnown((before) => ({ ...before, failure })),
      now: () => performance.now(),
      after,
    }),
  )
  useEffect(() => () => updater.close(), [updater])

  const { modelId, response, state } = panel
  const isComplete = isWhole(panel)
  // An answer that ended in an error is not stored: what has come of it is all there is.
  const isStored = isComplete && state !== 'error'
  useEffect(() => {
    updater.want({ text: response, isComplete, ...(isStored && { stored: { runId, modelId } }) })
  }, [updater, response, isComplete, isStored, runId, modelId])

  return {
    ...known,
    retry: () => {
      setKnown(({ failure: _failure, ...others }) => others)
      updater.retry()
    },
  }
}
