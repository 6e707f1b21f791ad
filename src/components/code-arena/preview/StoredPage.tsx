import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { useInstalls } from './installs.ts'
import { findProblems } from './page-problems.ts'
import { PageProblems } from './PageProblems.tsx'
import { PageFrame } from './PageFrame.tsx'
import { useFrames } from './use-frames.ts'

interface StoredPageProps {
  /** Where the answer is stored. */
  page: { runId: string; modelId: string; testCaseId?: string }
  /** The name of the frame, for screen readers. */
  title: string
  width: number
  /** CSS height. */
  height: string
  lead?: ReactNode
}

/** The page of a stored answer, running, isolated like every preview. */
export function StoredPage({ page, title, width, height, lead }: StoredPageProps) {
  const installs = useInstalls()
  const preview = useQuery({
    queryKey: ['code-arena', 'stored-page', page, installs],
    queryFn: () => readReply(api.codeArena.preview.$post({ json: page })),
    // The page keeps its address only while the server keeps it.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const url = preview.data?.url
  const frames = useFrames(url, true)
  const hasPage = url !== undefined
  return (
    <div className="flex min-w-0 flex-col" style={{ height }}>
      <PageFrame
        title={title}
        width={width}
        frames={frames}
        lead={lead}
        actions={
          <IconButton label={`Reload ${title}`} disabled={!hasPage || frames.isStopped} onClick={frames.reload}>
            <RotateCw size={14} aria-hidden />
          </IconButton>
        }
        notice={
          hasPage &&
          !frames.isStopped && (
            <PageProblems
              problems={findProblems(frames.messages, preview.data)}
              installable={preview.data?.installable}
            />
          )
        }
      >
        {frames.isStopped ? (
          <div className="flex flex-col items-center gap-2">
            <div className="text-center text-muted">The page was stopped because it sent too many messages.</div>
            <Button onClick={frames.restart}>Restart</Button>
          </div>
        ) : hasPage ? undefined : (
          <NoPage preview={preview} />
        )}
      </PageFrame>
    </div>
  )
}

function NoPage({
  preview,
}: {
  preview: { isPending: boolean; error: Error | null; data?: { problem?: string } | undefined }
}) {
  if (preview.error) return <FailureNotice title="There is no page" failure={preview.error} />
  return (
    <div className="max-w-prose text-center break-words text-muted">
      {preview.isPending ? 'Assembling the page…' : (preview.data?.problem ?? 'This answer contains nothing to run.')}
    </div>
  )
}
