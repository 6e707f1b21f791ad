import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress, type ScreenProps } from '../../router.tsx'
import { Page } from '../../ui/Page.tsx'
import { markNamesSeen } from '../vote/voter.ts'
import { ForkEditor } from './ForkEditor.tsx'
import { emptyPage, nameFork, type PageFile } from './forked-answer.ts'

/** What the editor starts from: the model's page, and the fork if one is open. */
async function loadPage(runId: string, { modelId, forkId }: { modelId: string | null; forkId: string | null }) {
  const fork =
    forkId === null
      ? undefined
      : await readReply(api.arenaPages[':runId'].forks[':forkId'].$get({ param: { runId, forkId } }))
  const owner = fork?.modelId ?? modelId ?? ''
  const filesOf = ({ files }: { files: PageFile[] }) => (files.length > 0 ? files : emptyPage)
  const original = filesOf(await readReply(api.codeArena.preview.$post({ json: { runId, modelId: owner } })))
  if (!fork) return { modelId: owner, original }
  const edited = await readReply(api.codeArena.preview.$post({ json: { response: fork.response, isComplete: true } }))
  return { modelId: owner, original, kept: { id: fork.id, name: fork.name, files: filesOf(edited) } }
}

/** Edits the code of a page and shows it live; a fork is kept beside the run and never voted on or ranked. */
export function ForkPage({ params }: ScreenProps) {
  const runId = params['runId']!
  const [query] = useAddress()
  const source = { modelId: query.get('model'), forkId: query.get('fork') }
  const page = useQuery({
    queryKey: ['code-arena', 'fork-source', runId, source],
    queryFn: () => loadPage(runId, source),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  // The title names the model.
  useEffect(() => markNamesSeen(runId), [runId])
  const back = (
    <Link to={`/code-arena/${encodeURIComponent(runId)}`} className="inline-flex items-center gap-1 hover:underline">
      <ArrowLeft size={14} aria-hidden />
      All pages of the run
    </Link>
  )
  const title = page.data?.kept
    ? nameFork({ ...page.data.kept, modelId: page.data.modelId })
    : `Edit the page of ${page.data?.modelId ?? source.modelId ?? 'a model'}`
  return (
    <Page title={title} subtitle={back}>
      <Loaded
        query={page}
        what="the code"
        rows={10}
        back={{ to: `/code-arena/${encodeURIComponent(runId)}`, label: 'Back to the run' }}
      >
        {({ modelId, original, kept }) => (
          <ForkEditor
            key={kept?.id ?? modelId}
            runId={runId}
            modelId={modelId}
            modelName={modelId}
            original={original}
            kept={kept}
          />
        )}
      </Loaded>
    </Page>
  )
}
