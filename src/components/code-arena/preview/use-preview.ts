import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { isAnswerComplete, type ShownPage } from '../../../stores/liveRunStore.ts'
import { useInstalls } from './installs.ts'
import { createPreviewUpdater } from './preview-updater.ts'

export interface ShownPreview {
  preview?: PreviewView | undefined
  /** Built from the complete answer. */
  isFinal: boolean
  /** The last page that could run; a half-written one that cannot does not replace it. */
  url?: string | undefined
  failure?: unknown
  retry: () => void
  /** Shows another of the pages that the answer lets one choose from. */
  choose: (alternative: number) => void
}

type PreviewState = Omit<ShownPreview, 'retry' | 'choose'>

const schedule = (milliseconds: number, call: () => void) => {
  const timer = window.setTimeout(call, milliseconds)
  return () => window.clearTimeout(timer)
}

/** The page of a panel, rebuilt as its answer arrives. */
export function usePreview(runId: string, panel: ShownPage): ShownPreview {
  const [previewState, setPreviewState] = useState<PreviewState>({ isFinal: false })
  const [updater] = useState(() =>
    createPreviewUpdater({
      requestPreview: (request) => readReply(api.codeArena.preview.$post({ json: request })),
      onPreview: (preview, isFinal) =>
        setPreviewState(({ url }) => ({ preview, isFinal, url: isFinal ? preview.url : (preview.url ?? url) })),
      onFailure: (failure) => setPreviewState((before) => ({ ...before, failure })),
      now: () => performance.now(),
      schedule,
    }),
  )
  useEffect(() => () => updater.close(), [updater])

  const installs = useInstalls()
  useEffect(() => {
    if (installs > 0) updater.retry()
  }, [updater, installs])

  const [alternative, choose] = useState<number>()
  const { modelId, response, state } = panel
  const isComplete = isAnswerComplete(panel)
  // A failed answer is not stored, so the text received so far is all there is.
  const isStored = isComplete && state !== 'error'
  useEffect(() => {
    updater.update({
      text: response,
      isComplete,
      ...(isStored && { stored: { runId, modelId, ...(alternative !== undefined && { alternative }) } }),
    })
  }, [updater, response, isComplete, isStored, runId, modelId, alternative])

  return {
    ...previewState,
    choose,
    retry: () => {
      setPreviewState(({ failure: _failure, ...others }) => others)
      updater.retry()
    },
  }
}
