import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { Copy, Download, FolderDown, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from '../../router.tsx'
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx'
import { CodeEditor, languageOf } from '../../ui/editor/CodeEditor.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'

import { writePageProject } from '../../../report/formats/page-project.ts'
import { writeZip } from '../../../report/formats/zip.ts'
import { fileNameFor } from '../../../report/words/names.ts'
import { copyText, saveFile } from '../../ui/files/save-file.ts'
import { startAtCode } from './start-at-code.ts'

/** While an answer arrives, only its last characters are rendered. */
const MAX_LIVE_CHARACTERS = 20_000
const ANSWER = 'Full answer'

interface PanelCodeProps {
  /** For labels and file names: the model, or the page before the vote. */
  name: string
  isBlind: boolean
  response: string
  preview: PreviewView | undefined
  isWriting: boolean
  /** Where the code can be edited; absent before the vote. */
  editAddress?: string | undefined
}

/** The text as it arrives; scrolls with it unless the user scrolls up. */
function LiveText({ name, text }: { name: string; text: string }) {
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
      aria-label={`Code of ${name} as it arrives`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < 40
      }}
      className="min-h-0 flex-1 overflow-auto bg-surface p-2 font-mono text-[13px] break-words whitespace-pre-wrap"
    >
      {start > 0 && `… ${formatCount(start)} earlier characters\n`}
      {text.slice(start)}
    </pre>
  )
}

export function PanelCode({ name, isBlind, response, preview, isWriting, editAddress }: PanelCodeProps) {
  const [chosen, setChosen] = useState<string>()
  if (isWriting) return <LiveText name={name} text={isBlind ? startAtCode(response) : response} />
  if (response === '')
    return <div className="flex flex-1 items-center justify-center text-muted">The model wrote nothing.</div>
  const files = preview?.files ?? []
  // Before the vote, what a model says about itself around the code stays out of sight.
  const canShowAnswer = !isBlind || files.length === 0
  const file =
    chosen === ANSWER && canShowAnswer ? undefined : (files.find((other) => other.name === chosen) ?? files[0])
  const code = file?.code ?? response
  const page = preview?.page
  const runs = preview?.runs
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-1.5">
        <SelectField
          label={`File of ${name}`}
          isLabelHidden
          className="max-w-56 min-w-20 flex-1 [&_select]:h-7"
          value={file?.name ?? ANSWER}
          onChange={setChosen}
        >
          <SelectOptions of={files.map((other) => other.name)} />
          {canShowAnswer && <option>{ANSWER}</option>}
        </SelectField>
        <div className="ml-auto flex shrink-0 items-center">
          {editAddress !== undefined && (
            <Link
              to={editAddress}
              className={buttonClass('quiet', 'px-2!')}
              title="Edit the code and see the page live"
            >
              <Pencil size={14} aria-hidden />
              Edit
            </Link>
          )}
          <Button kind="quiet" className="px-2!" onClick={() => void copyText(code, file?.name ?? 'The answer')}>
            <Copy size={14} aria-hidden />
            Copy
          </Button>
          <Button
            kind="quiet"
            className="px-2!"
            aria-label="Download file"
            onClick={() => saveFile(fileNameFor(name, file?.name ?? 'answer.md'), code)}
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
              onClick={() => saveFile(fileNameFor(name, 'page.html'), page, 'text/html')}
              title="A single .html file that works offline"
            >
              <Download size={14} aria-hidden />
              Page
            </Button>
          )}
          {runs !== undefined && (
            <IconButton
              label="Download project"
              // In narrow panels there is no room for it.
              className="@max-sm:hidden"
              onClick={() => {
                const project = writeZip(writePageProject({ title: name, files, ...runs }))
                saveFile(fileNameFor(name, 'project.zip'), project, 'application/zip')
              }}
              title="Download a .zip with all files, which also opens in StackBlitz"
            >
              <FolderDown size={14} aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-hidden [&_.cm-editor]:h-full [&_.cm-editor]:rounded-none! [&_.cm-editor]:border-0! [&>*]:h-full">
        <CodeEditor
          key={file?.name ?? ANSWER}
          label={`Code of ${name}: ${file?.name ?? 'full answer'}`}
          value={code}
          language={file ? languageOf(file.language) : 'markdown'}
          isReadOnly
          maxHeight="100%"
        />
      </div>
    </>
  )
}
