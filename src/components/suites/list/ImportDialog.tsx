import type { SuiteImport } from '../../../server/suites/routes.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { navigate } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { formatBytes, formatCount } from '../../../report/words/index.ts'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { nameFormat, readImportProblems, sortByLine, type ImportProblem } from './import-places.ts'
import { methodsOf, readCases, textOf, titleOf } from '../suite-draft.ts'

export interface DroppedFile {
  file: File
  /** The number of other files dropped with it, which are ignored. */
  others: number
}

interface Source {
  fileName: string
  text: string
}

const MAX_CHARACTERS = 5_000_000
/** A file name without an extension, so that the format is detected from the content. */
const PASTED = 'pasted'

async function readFile(file: File): Promise<Source> {
  if (file.size > MAX_CHARACTERS * 4)
    throw new Error(
      `${file.name} is ${formatBytes(file.size)}; a suite can have at most 5 million characters. Split it, or use the command line.`,
    )
  const text = await file.text()
  if (text.length > MAX_CHARACTERS)
    throw new Error(`${file.name} has more than 5 million characters. Split it, or use the command line.`)
  return { fileName: file.name, text }
}

function ProblemList({ problems }: { problems: ImportProblem[] }) {
  return (
    <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto">
      {[...problems.entries()].map(([index, { line, column, message, excerpt }]) => (
        <li key={index} className="whitespace-pre-wrap">
          {line !== undefined && (
            <strong className="font-medium">
              Line {line}
              {column !== undefined && `, column ${column}`}:{' '}
            </strong>
          )}
          {message}
          {excerpt !== undefined && <code className="block truncate font-mono text-xs">{excerpt}</code>}
        </li>
      ))}
    </ul>
  )
}

function Refused({ failure, source }: { failure: unknown; source: Source | undefined }) {
  if (!(failure instanceof ApiFailure) || source === undefined || failure.status === 0)
    return <FailureNotice failure={failure} title="The suite could not be read" />
  return (
    <Notice
      kind="error"
      title={`${source.fileName === PASTED ? 'The text' : source.fileName} is not a valid suite. Nothing was saved.`}
    >
      <ProblemList problems={sortByLine(readImportProblems(failure.message, source))} />
    </Notice>
  )
}

function Preview({
  read,
  source,
  name,
  onName,
}: {
  read: SuiteImport
  source: Source
  name: string
  onName: (name: string) => void
}) {
  const cases = readCases(read.suite)
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        Read as <strong className="font-medium">{nameFormat(read.format)}</strong>: {formatCount(cases.length, 'case')}
        {read.warnings.length > 0 && `, ${formatCount(read.warnings.length, 'warning')}`}. Nothing is saved yet.
      </p>
      <TextField label="Suite name" value={name} onChange={(event) => onName(event.target.value)} />
      {read.warnings.length > 0 && (
        <Notice kind="warning" title={formatCount(read.warnings.length, 'warning')}>
          <ProblemList problems={readImportProblems(read.warnings.join('\n'), source)} />
        </Notice>
      )}
      {read.suggestedModels.length > 0 && (
        <p className="text-muted">
          The file lists these models: {read.suggestedModels.slice(0, 12).join(', ')}. You can choose them in the Arena.
        </p>
      )}
      <div
        className="overflow-x-auto rounded-md border border-line"
        tabIndex={0}
        role="region"
        aria-label="First cases"
      >
        <table className="w-full min-w-[480px] text-left">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              <th scope="col" className="px-2 py-1.5 font-medium">
                Id
              </th>
              <th scope="col" className="px-2 py-1.5 font-medium">
                Prompt
              </th>
              <th scope="col" className="px-2 py-1.5 font-medium">
                Scoring
              </th>
            </tr>
          </thead>
          <tbody>
            {[...cases.slice(0, 6).entries()].map(([index, testCase]) => (
              <tr key={index} className="border-b border-line last:border-0">
                <td className="max-w-40 truncate px-2 py-1.5">{textOf(testCase['id'])}</td>
                <td className="max-w-72 truncate px-2 py-1.5">{titleOf(testCase)}</td>
                <td className="px-2 py-1.5 whitespace-nowrap">{methodsOf(testCase).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {cases.length > 6 && <p className="border-t border-line px-2 py-1.5 text-muted">and {cases.length - 6} more</p>}
      </div>
    </div>
  )
}

/** Imports a file or pasted text: shows a preview first, then saves. */
export function ImportDialog({ dropped, onClose }: { dropped: DroppedFile | undefined; onClose: () => void }) {
  const queries = useQueryClient()
  const chooser = useRef<HTMLInputElement>(null)
  const [pasted, setPasted] = useState('')
  const [source, setSource] = useState<Source>()
  const [name, setName] = useState('')
  const reading = useMutation({
    mutationFn: async (from: File | Source) => {
      const chosen = from instanceof File ? await readFile(from) : from
      setSource(chosen)
      return readReply(api.suites.import.$post({ json: { fileName: chosen.fileName, text: chosen.text } }))
    },
    onSuccess: ({ suite }) => setName(suite['name'] === PASTED ? 'Untitled suite' : textOf(suite['name'])),
  })
  const saving = useMutation({
    mutationFn: (read: SuiteImport) => readReply(api.suites.$post({ json: { suite: { ...read.suite, name } } })),
    onSuccess: ({ id, suite }) => {
      void queries.invalidateQueries({ queryKey: ['suites'] })
      toast(`Imported ${formatCount(readCases(suite).length, 'case')}.`)
      navigate(`/suites/${encodeURIComponent(id)}`)
    },
  })
  const readDropped = useEffectEvent(() => {
    if (dropped) reading.mutate(dropped.file)
  })
  useEffect(() => readDropped(), [])

  const { data: read } = reading
  const startOver = () => {
    reading.reset()
    saving.reset()
    setSource(undefined)
  }
  return (
    <Dialog
      title="Import a suite"
      description="YAML or JSON, CSV, JSON lines, or a promptfoo config."
      width="wide"
      isOpen
      onClose={onClose}
      actions={
        read ? (
          <>
            <Button onClick={startOver}>Choose another file</Button>
            <Button
              kind="primary"
              disabled={name.trim() === '' || saving.isPending}
              onClick={() => saving.mutate(read)}
            >
              {saving.isPending ? 'Saving…' : 'Save suite'}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind="primary"
              disabled={pasted.trim() === '' || reading.isPending}
              onClick={() => reading.mutate({ fileName: PASTED, text: pasted })}
            >
              Read the text
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {dropped !== undefined && dropped.others > 0 && (
          <Notice kind="warning">Only {dropped.file.name} was read. Import one file at a time.</Notice>
        )}
        {saving.error && <FailureNotice failure={saving.error} title="The suite was not saved" />}
        {read && source ? (
          <Preview read={read} source={source} name={name} onName={setName} />
        ) : (
          <>
            {reading.error && <Refused failure={reading.error} source={source} />}
            <div className="flex flex-wrap items-center gap-3">
              <Button disabled={reading.isPending} onClick={() => chooser.current?.click()}>
                {reading.isPending ? 'Reading…' : 'Choose a file'}
              </Button>
              <span className="text-muted">or paste its text</span>
              <input
                ref={chooser}
                type="file"
                className="sr-only"
                tabIndex={-1}
                aria-label="File to import"
                accept=".yaml,.yml,.json,.csv,.tsv,.jsonl,.ndjson,.txt"
                onChange={(event) => {
                  const [file] = event.target.files ?? []
                  if (file) reading.mutate(file)
                  event.target.value = ''
                }}
              />
            </div>
            <TextArea
              label="Suite text"
              isLabelHidden
              placeholder={'name: My suite\ntestCases:\n  - id: …'}
              rows={12}
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}
