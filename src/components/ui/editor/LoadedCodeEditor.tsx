import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
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

/** Uses the app's colour tokens, so that it is legible in light and dark. */
const colours = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword, tags.tagName, tags.heading],
    color: 'var(--accent-ink)',
  },
  { tag: [tags.string, tags.number, tags.bool, tags.attributeValue], color: 'var(--chart-3)' },
  { tag: tags.comment, color: 'var(--muted)' },
])

const baseTheme = EditorView.theme({
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
  /** Tab indents; Esc and then Tab leaves the editor. For editors whose main work is code. */
  isIndentedByTab?: boolean
  /** CSS length. */
  maxHeight?: string
}

export function LoadedCodeEditor({
  label,
  value,
  language,
  onChange,
  isReadOnly = false,
  isIndentedByTab = false,
  maxHeight = '60dvh',
}: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const notifyChange = useEffectEvent((text: string) => onChange?.(text))
  const getInitialText = useEffectEvent(() => value)

  useEffect(() => {
    const view = new EditorView({
      parent: container.current!,
      state: EditorState.create({
        doc: getInitialText(),
        extensions: [
          lineNumbers(),
          history(),
          // Elsewhere Tab is not bound: it must leave the editor, or keyboard users would be trapped in it.
          keymap.of([...defaultKeymap, ...historyKeymap, ...(isIndentedByTab ? [indentWithTab] : [])]),
          syntaxHighlighting(colours),
          drawSelection(),
          highlightActiveLine(),
          languages[language](),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.theme({ '.cm-scroller': { maxHeight, overflow: 'auto' } }),
          baseTheme,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) notifyChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    editor.current = view
    return () => view.destroy()
    // The effect below applies later values: a new editor per keystroke would lose the cursor.
  }, [label, language, isReadOnly, isIndentedByTab, maxHeight])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  return <div ref={container} />
}
