import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useRef } from 'react'

type EditorLanguage = 'yaml' | 'json' | 'markdown' | 'html' | 'text'

const languages: Record<EditorLanguage, () => Extension> = { yaml, json, markdown, html, text: () => [] }

/** From the same tokens as everything else, so that light and dark are legible alike. */
const colours = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword, tags.tagName, tags.heading],
    color: 'var(--accent-ink)',
  },
  { tag: [tags.string, tags.number, tags.bool, tags.attributeValue], color: 'var(--chart-3)' },
  { tag: tags.comment, color: 'var(--muted)' },
])

const look = EditorView.theme({
  '&': {
    fontSize: '13px',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--sunken)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-content': { fontFamily: 'var(--font-mono)' },
})

export interface CodeEditorProps {
  label: string
  value: string
  language: EditorLanguage
  onChange?: (value: string) => void
  isReadOnly?: boolean
  /** CSS length. */
  maxHeight?: string
}

export function LoadedCodeEditor({
  label,
  value,
  language,
  onChange,
  isReadOnly = false,
  maxHeight = '60dvh',
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const changed = useEffectEvent((text: string) => onChange?.(text))
  const readText = useEffectEvent(() => value)

  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: readText(),
        extensions: [
          lineNumbers(),
          history(),
          // Tab stays the browser's: it leaves the editor, so that keyboards do not get stuck in it.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          syntaxHighlighting(colours),
          drawSelection(),
          highlightActiveLine(),
          languages[language](),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.theme({ '.cm-scroller': { maxHeight, overflow: 'auto' } }),
          look,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    editor.current = view
    return () => view.destroy()
    // Later texts go in by the effect below: a new editor for each key would lose the cursor.
  }, [label, language, isReadOnly, maxHeight])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  return <div ref={place} />
}
