import { lazy, Suspense } from 'react'
import type { CodeEditorProps } from './LoadedCodeEditor.tsx'

const Loaded = lazy(async () => ({ default: (await import('./LoadedCodeEditor.tsx')).LoadedCodeEditor }))

/** An editor that loads when first shown, with the plain text until then. */
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

/** The editor's language for a block of code that names its own. */
export function languageOf(name: string): 'html' | 'json' | 'markdown' | 'text' {
  if (/^(?:html?|svg|vue|svelte|xml)/i.test(name)) return 'html'
  if (/^json/i.test(name)) return 'json'
  return /^(?:md|markdown)/i.test(name) ? 'markdown' : 'text'
}
