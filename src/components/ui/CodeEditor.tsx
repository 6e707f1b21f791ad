import { lazy, Suspense } from 'react'
import type { CodeEditorProps } from './LoadedCodeEditor.tsx'

const Loaded = lazy(async () => ({ default: (await import('./LoadedCodeEditor.tsx')).LoadedCodeEditor }))

/** An editor that loads when it is first shown; until then the text itself is there. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <pre className="overflow-auto rounded-md border border-line p-2 font-mono text-[13px]">{props.value}</pre>
      }
    >
      <Loaded {...props} />
    </Suspense>
  )
}
