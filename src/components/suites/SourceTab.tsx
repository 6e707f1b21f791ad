import { Loaded } from '../ui/Loaded.tsx'
import { useMay } from '../access/session.ts'
import type { Problem } from '../../contract/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { CodeEditor } from '../ui/editor/CodeEditor.tsx'
import { Notice } from '../ui/Notice.tsx'
import { formatCount } from '../../report/words/index.ts'
import { useSettled } from '../ui/use-settled.ts'
import type { Fields } from './suite-draft.ts'
import type { ReadSource, SourcePlace } from './suite-source.ts'

type SourceModule = typeof import('./suite-source.ts')

interface SourceTabProps {
  suite: Fields
  problems: Problem[]
  /** Text that is not in the form yet: just typed, or invalid. */
  pending: string | undefined
  onChange: (suite: Fields) => void
  onPending: (text: string | undefined) => void
}

async function showLine(root: HTMLElement | null, { line, column }: SourcePlace): Promise<void> {
  const { EditorView } = await import('@codemirror/view')
  const content = root?.querySelector<HTMLElement>('.cm-editor')
  const view = content && EditorView.findFromDOM(content)
  if (!view) return
  const at = view.state.doc.line(Math.min(line, view.state.doc.lines))
  const anchor = Math.min(at.to, at.from + column - 1)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}

function Editing({ source, suite, problems, pending, onChange, onPending }: SourceTabProps & { source: SourceModule }) {
  const root = useRef<HTMLDivElement>(null)
  const [opened] = useState(() => pending ?? source.writeSource(suite))
  const [text, setText] = useState(opened)
  const [typed, setTyped] = useState<ReadSource>()
  // Our own text is parsed only to locate problems in it: on a large suite that takes a second.
  const isReadNeeded = typed === undefined && (problems.length > 0 || pending !== undefined)
  const read = useMemo(
    () => typed ?? (isReadNeeded ? source.readSource(opened) : undefined),
    [typed, isReadNeeded, source, opened],
  )
  const settled = useSettled(text, text.length > 200_000 ? 1000 : 250)
  // Opening the tab must not count as a change, even if the text differs from the imported file.
  const applied = useRef(text)
  const apply = useEffectEvent((next: string) => {
    if (next === applied.current) return
    applied.current = next
    const result = source.readSource(next)
    setTyped(result)
    if ('error' in result) return
    onPending(undefined)
    onChange(result.suite)
  })
  useEffect(() => apply(settled), [settled])
  const applyOnLeave = useEffectEvent(() => apply(text))
  useEffect(() => () => applyOnLeave(), [])
  const type = (next: string) => {
    setText(next)
    onPending(next)
  }

  const mayEdit = useMay('runner')
  const error = read && 'error' in read ? { place: read.place, message: read.error } : undefined
  const found = error
    ? [error]
    : read && 'locate' in read
      ? problems
          .slice(0, 50)
          .map(({ path, message }) => ({ place: read.locate(path), message: `${path.join('.')}: ${message}` }))
      : []
  return (
    <div ref={root} className="flex flex-col gap-3">
      {found.length > 0 && (
        <Notice
          kind="error"
          title={
            error
              ? 'This is not a valid suite. The form still shows the last valid one.'
              : formatCount(found.length, 'problem')
          }
        >
          <ul className="max-h-40 overflow-y-auto" aria-label="Problems in the source">
            {found.map(({ place, message }) => (
              <li key={`${place.line}:${message}`}>
                <button
                  type="button"
                  className="min-h-6 text-left underline decoration-dotted"
                  onClick={() => void showLine(root.current, place)}
                >
                  Line {place.line}, column {place.column}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="text-muted">
        The suite as YAML.{mayEdit && ' Changes appear in the form at once; comments are not preserved.'}
      </p>
      <CodeEditor
        label="Suite as YAML"
        language="yaml"
        value={text}
        onChange={type}
        isReadOnly={!mayEdit}
        maxHeight="calc(100dvh - 320px)"
      />
    </div>
  )
}

/** The suite as text, for fast editing and for fields that the form does not show. */
export function SourceTab(props: SourceTabProps) {
  const source = useQuery({
    queryKey: ['suite-source'],
    queryFn: () => import('./suite-source.ts'),
    staleTime: Infinity,
  })
  return (
    <Loaded query={source} what="the editor">
      {(module) => <Editing {...props} source={module} />}
    </Loaded>
  )
}
