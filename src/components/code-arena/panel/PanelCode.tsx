import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { Copy, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { fileNameFor } from '../arena-words.ts'
import { copyText, saveFile } from '../save-file.ts'

/** While an answer arrives, only its last characters are rendered. */
const MAX_LIVE_CHARACTERS = 20_000
const ANSWER = 'Full answer'

interface PanelCodeProps {
  modelId: string
  response: string
  preview: PreviewView | undefined
  isWriting: boolean
  height: string
}

/** The text as it arrives; scrolls with it unless the user scrolls up. */
function LiveText({ modelId, text, height }: { modelId: string; text: string; height: string }) {
  const container = useRef<HTMLPreElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    if (isFollowing.current && container.current) container.current.scrollTop = container.current.scrollHeight
  })
  const start = Math.max(0, text.length - MAX_LIVE_CHARACTERS)
  return (
    <pre
      ref={container}
      tabIndex={0}
      aria-label={`Code by ${modelId} as it arrives`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < 40
      }}
      className="overflow-auto bg-surface p-2 font-mono text-[13px] break-words whitespace-pre-wrap"
      style={{ height }}
    >
      {start > 0 && `… ${formatCount(start)} earlier characters\n`}
      {text.slice(start)}
    </pre>
  )
}

function languageOf(language: string): 'html' | 'json' | 'markdown' | 'text' {
  if (/^(?:html?|svg|vue|xml)/i.test(language)) return 'html'
  if (/^json/i.test(language)) return 'json'
  return /^(?:md|markdown)/i.test(language) ? 'markdown' : 'text'
}

export function PanelCode({ modelId, response, preview, isWriting, height }: PanelCodeProps) {
  const [chosen, setChosen] = useState<string>()
  if (isWriting) return <LiveText modelId={modelId} text={response} height={height} />
  if (response === '')
    return (
      <div className="flex items-center justify-center text-muted" style={{ height }}>
        The model wrote nothing.
      </div>
    )
  const files = preview?.files ?? []
  const file = chosen === ANSWER ? undefined : (files.find(({ name }) => name === chosen) ?? files[0])
  const code = file?.code ?? response
  const page = preview?.page
  return (
    <div className="flex flex-col [&_.cm-editor]:rounded-none! [&_.cm-editor]:border-0!" style={{ height }}>
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-1.5">
        <SelectField
          label={`File by ${modelId}`}
          isLabelHidden
          className="max-w-56 min-w-20 flex-1 [&_select]:h-7"
          value={file?.name ?? ANSWER}
          onChange={({ target }) => setChosen(target.value)}
        >
          {files.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
          <option>{ANSWER}</option>
        </SelectField>
        <div className="ml-auto flex shrink-0 items-center">
          <Button kind="quiet" className="px-2!" onClick={() => void copyText(code, file?.name ?? 'The answer')}>
            <Copy size={14} aria-hidden />
            Copy
          </Button>
          <Button
            kind="quiet"
            className="px-2!"
            aria-label="Download file"
            onClick={() => saveFile(fileNameFor(modelId, file?.name ?? 'answer.md'), code)}
            title="This file as the model wrote it"
          >
            <Download size={14} aria-hidden />
            File
          </Button>
          {page !== undefined && (
            <Button
              kind="quiet"
              className="px-2!"
              aria-label="Download page"
              onClick={() => saveFile(fileNameFor(modelId, 'page.html'), page, 'text/html')}
              title="A single .html file that works offline"
            >
              <Download size={14} aria-hidden />
              Page
            </Button>
          )}
        </div>
      </div>
      <CodeEditor
        key={file?.name ?? ANSWER}
        label={`Code by ${modelId}: ${file?.name ?? 'full answer'}`}
        value={code}
        language={file ? languageOf(file.language) : 'markdown'}
        isReadOnly
        maxHeight={`calc(${height} - 36px)`}
      />
    </div>
  )
}
