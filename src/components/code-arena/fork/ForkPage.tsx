import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Copy, Download, RotateCcw, RotateCw } from 'lucide-react'
import { useEffect, type RefObject, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useAddress, type ScreenProps, navigate } from '../../router.tsx'
import { BackLink, Page } from '../../ui/Page.tsx'
import { markNamesSeen, arenaRunAddress } from '../vote/voter.ts'
import { emptyPage, nameFork, type PageFile, isSameCode, writeForkedAnswer } from './forked-answer.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { CodeEditor, languageOf } from '../../ui/editor/CodeEditor.tsx'
import { toast } from '../../ui/toast.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { useSettled } from '../../ui/use-settled.ts'

import { defaultViewportWidth, readViewportWidth } from '../preview/fit-viewport.ts'
import { useInstalls } from '../preview/installs.ts'
import { findProblems } from '../preview/page-problems.ts'
import { PageProblems } from '../preview/PageProblems.tsx'
import { PageFrame } from '../preview/PageFrame.tsx'
import { besideLivePreview } from '../preview/typing-field.ts'
import { useFrames } from '../preview/use-frames.ts'
import { ViewportSwitch } from '../preview/ViewportSwitch.tsx'
import { fileNameFor } from '../../../report/words/names.ts'
import { copyText, saveFile } from '../../ui/files/save-file.ts'
import { useLeaveWarning } from '../../suites/use-leave-warning.ts'

/**
 * A page that takes the focus this often in so short a time is paused while someone types. Many pages take it once, when
 * they load.
 */
const MOST_TIMES = 3
const WITHIN_MS = 1500

/** True if the person went into the frame: the mouse is over it, or the last key was Tab. */
function isOwnStep(frame: Element, lastKey: string): boolean {
  return frame.matches(':hover') || lastKey === 'Tab'
}

/**
 * Returns the focus to the editor if the page beside it takes it. False once the page has done so again and again: it is
 * then removed while someone types, like every other preview.
 */
function useKeptFocus(editor: RefObject<HTMLElement | null>): boolean {
  const [isWellBehaved, setWellBehaved] = useState(true)
  const times = useRef<number[]>([])
  useEffect(() => {
    const element = editor.current
    if (!element) return undefined
    let lastKey = ''
    let field: HTMLElement | undefined
    const onKey = ({ key }: KeyboardEvent) => {
      lastKey = key
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) field = target
    }
    const onBlur = () =>
      window.setTimeout(() => {
        const { activeElement } = document
        if (!(activeElement instanceof HTMLIFrameElement) || isOwnStep(activeElement, lastKey)) return
        field?.focus({ preventScroll: true })
        const now = performance.now()
        times.current = [...times.current.filter((time) => now - time < WITHIN_MS), now]
        if (times.current.length >= MOST_TIMES) setWellBehaved(false)
      })
    element.addEventListener('keydown', onKey, true)
    element.addEventListener('focusin', onFocus)
    element.addEventListener('focusout', onBlur)
    return () => {
      element.removeEventListener('keydown', onKey, true)
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('focusout', onBlur)
    }
  }, [editor])
  return isWellBehaved
}

/** The page follows after a pause in typing this long. */
const SETTLE_MS = 400

const HEIGHT = 'max(420px, calc(100dvh - 220px))'
/** On a phone the page is below the code, and both should be in view. */
const NARROW_HEIGHT = 'max(220px, 38dvh)'

/** The page of the code as edited; the last one that could run stays visible while the code is broken. */
function useEditedPage(files: readonly PageFile[]) {
  const response = useSettled(writeForkedAnswer(files), SETTLE_MS)
  const installs = useInstalls()
  const preview = useQuery({
    queryKey: ['code-arena', 'edited-page', response, installs],
    queryFn: () => readReply(api.codeArena.preview.$post({ json: { response, isComplete: true } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [url, setUrl] = useState<string>()
  const latest = preview.data?.url
  if (latest !== undefined && latest !== url) setUrl(latest)
  return { preview, url }
}

interface LivePageProps {
  title: string
  files: readonly PageFile[]
  width: number
  /** CSS height. */
  height: string
}

function LivePage({ title, files, width, height }: LivePageProps) {
  const { preview, url } = useEditedPage(files)
  const frames = useFrames(url, true)
  const problems = findProblems(frames.messages, preview.data)
  return (
    <div className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface" style={{ height }}>
      <PageFrame
        title={title}
        width={width}
        frames={frames}
        actions={
          <IconButton label="Reload the page" disabled={url === undefined} onClick={frames.reload}>
            <RotateCw size={14} aria-hidden />
          </IconButton>
        }
        notice={!frames.isStopped && <PageProblems problems={problems} installable={preview.data?.installable} />}
      >
        {frames.isStopped ? (
          <Button onClick={frames.restart}>Restart</Button>
        ) : url === undefined ? (
          <div className="max-w-prose text-center break-words text-muted">
            {preview.error ? preview.error.message : 'The page will appear here.'}
          </div>
        ) : undefined}
      </PageFrame>
    </div>
  )
}

interface ForkEditorProps {
  runId: string
  modelId: string
  /** What to call the model: before a vote, its name is hidden. */
  modelName: string
  /** As the model wrote them. */
  original: PageFile[]
  /** A fork that was kept before. */
  kept?: { id: string; name?: string | undefined; files: PageFile[] } | undefined
}

/** The code of a page beside the page, which follows as one types. */
function ForkEditor({ runId, modelId, modelName, original, kept }: ForkEditorProps) {
  const queries = useQueryClient()
  const [query, changeQuery] = useAddress()
  const [files, setFiles] = useState(kept?.files ?? original)
  const [saved, setSaved] = useState(kept?.files ?? original)
  const [name, setName] = useState(kept?.name ?? '')
  const [chosen, setChosen] = useState(files[0]!.name)
  const editor = useRef<HTMLDivElement>(null)
  const isWellBehaved = useKeptFocus(editor)
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const width = readViewportWidth(query.get('width'), defaultViewportWidth(window.innerWidth))
  const file = files.find((other) => other.name === chosen) ?? files[0]!
  const changeCode = (code: string) =>
    setFiles((before) => before.map((other) => (other.name === file.name ? { ...other, code } : other)))
  const keep = useSingleMutation({
    mutationFn: () => {
      const json = { modelId, response: writeForkedAnswer(files), ...(name.trim() !== '' && { name: name.trim() }) }
      return kept
        ? readReply(api.arenaPages[':runId'].forks[':forkId'].$put({ param: { runId, forkId: kept.id }, json }))
        : readReply(api.arenaPages[':runId'].forks.$post({ param: { runId }, json }))
    },
    onSuccess: ({ id }) => {
      setSaved(files)
      void queries.invalidateQueries({ queryKey: ['code-arena', 'forks', runId] })
      toast(kept ? 'Saved.' : `Kept as “${nameFork({ name: name.trim(), modelId: modelName })}”.`)
      if (!kept) navigate(`/code-arena/${encodeURIComponent(runId)}/edit?fork=${encodeURIComponent(id)}`)
    },
  })
  const isChanged = !isSameCode(files, saved) || name.trim() !== (kept?.name ?? '')
  useLeaveWarning(isChanged)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {files.length > 1 && (
          <SelectField label="File" isLabelHidden className="w-48 max-w-full" value={file.name} onChange={setChosen}>
            <SelectOptions of={files.map((other) => other.name)} />
          </SelectField>
        )}
        <Button kind="quiet" disabled={isSameCode(files, original)} onClick={() => setFiles(original)}>
          <RotateCcw size={14} aria-hidden />
          Reset
        </Button>
        <Button kind="quiet" onClick={() => void copyText(file.code, file.name)}>
          <Copy size={14} aria-hidden />
          Copy
        </Button>
        <Button kind="quiet" onClick={() => saveFile(fileNameFor(`fork-of-${modelName}`, file.name), file.code)}>
          <Download size={14} aria-hidden />
          Download
        </Button>
        <TextField
          label="Name of the fork"
          isLabelHidden
          placeholder={nameFork({ modelId: modelName })}
          maxLength={200}
          className="w-56 max-w-full sm:ml-auto"
          value={name}
          onChange={setName}
        />
        <Button
          kind="primary"
          disabled={keep.isPending || (kept ? !isChanged : isSameCode(files, original))}
          onClick={() => keep.mutate()}
        >
          {kept ? 'Save' : 'Keep as a fork'}
        </Button>
      </div>
      <FailureNotice title="The fork was not kept" failure={keep.error} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <div ref={editor} className="min-w-0" {...(isWellBehaved && besideLivePreview)}>
          <CodeEditor
            key={file.name}
            label={`Code of ${file.name}`}
            value={file.code}
            language={languageOf(file.language)}
            isIndentedByTab
            onChange={changeCode}
            maxHeight={height}
          />
          <p className="mt-1 text-xs text-muted">Tab indents; press Esc and then Tab to leave the editor.</p>
        </div>
        <div className="flex min-w-0 flex-col gap-2">
          <LivePage title={`Edited page of ${modelName}`} files={files} width={width} height={height} />
          <div className="self-end">
            <ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />
          </div>
        </div>
      </div>
    </div>
  )
}

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
  const back = <BackLink to={arenaRunAddress(runId)}>All pages of the run</BackLink>
  const title = page.data?.kept
    ? nameFork({ ...page.data.kept, modelId: page.data.modelId })
    : `Edit the page of ${page.data?.modelId ?? source.modelId ?? 'a model'}`
  return (
    <Page title={title} subtitle={back}>
      <Loaded query={page} what="the code" rows={10} back={{ to: arenaRunAddress(runId), label: 'Back to the run' }}>
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
