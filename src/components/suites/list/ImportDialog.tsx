import type { SuiteImport } from '../../../server/suites/routes.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { navigate } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, SelectOptions, TextArea, TextField } from '../../ui/form/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { FailureNotice, Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { ColumnChooser, type TablePreview } from './ColumnChooser.tsx'
import { listChosen } from '../../ui/files/dropped-files.ts'
import type { GivenFile } from '../../ui/files/given-file.ts'
import { findSuiteFiles, listOthers, readGiven, type Source } from './given-files.ts'
import { ImportMany, readAll } from './ImportMany.tsx'
import { nameFormat, readImportProblems, sortByLine, type ImportProblem } from './import-places.ts'
import { listOf, methodsOf, readCases, textOf, titleOf } from '../suite-draft.ts'
import { useKeptText } from '../../ui/use-kept.ts'

/** A file name without an extension, so that the format is detected from the content. */
const PASTED = 'pasted'

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
  onRecipe,
  onColumns,
}: {
  read: SuiteImport
  source: Source
  name: string
  onName: (name: string) => void
  /** Reads the dataset by another recipe. */
  onRecipe: (recipe: string) => void
  onColumns: () => void
}) {
  const cases = readCases(read.suite)
  const variants = listOf(read.suite['variants']).length
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        Read as <strong className="font-medium">{nameFormat(read.format)}</strong>: {formatCount(cases.length, 'case')}
        {variants > 0 && `, ${formatCount(variants, 'variant')}`}
        {read.warnings.length > 0 && `, ${formatCount(read.warnings.length, 'warning')}`}. Nothing is saved yet.
      </p>
      {read.summary !== undefined && <p className="break-words text-muted">{read.summary}</p>}
      {read.dataset && (
        <div className="flex flex-wrap items-end gap-3">
          <SelectField label="Read the dataset as" value={read.dataset.recipe} onChange={onRecipe}>
            <SelectOptions of={read.dataset.recipes} />
          </SelectField>
          {source.base64 === undefined && <Button onClick={onColumns}>Choose columns</Button>}
        </div>
      )}
      <TextField label="Suite name" value={name} onChange={onName} />
      {read.warnings.length > 0 && (
        <Notice kind="warning" title={formatCount(read.warnings.length, 'warning')}>
          <ProblemList problems={readImportProblems(read.warnings.join('\n'), source)} />
        </Notice>
      )}
      {read.notes?.map((note) => (
        <p key={note} className="text-muted">
          {note}
        </p>
      ))}
      {read.suggestedModels.length > 0 && (
        <p className="text-muted">
          The file lists these models: {read.suggestedModels.slice(0, 12).join(', ')}. You can choose them in the Arena.
        </p>
      )}
      {read.suggestedJudges !== undefined && read.suggestedJudges.length > 0 && (
        <p className="text-muted">Its graders are {read.suggestedJudges.join(', ')}.</p>
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

/** What reading gave: a suite, or a table whose columns the user has to name. */
type Read = { suite: SuiteImport } | { table: TablePreview; failure: ApiFailure }

interface Choices {
  map?: Record<string, string>
  recipe?: string
}

async function readSource(source: Source, { map, recipe }: Choices = {}): Promise<Read> {
  const { fileName, text } = source
  const json = { ...source, ...(map && { map }), ...(recipe !== undefined && { recipe }) }
  try {
    return { suite: await readReply(api.suites.import.$post({ json })) }
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 422 || map || recipe !== undefined) throw failure
    const { table } = await readReply(api.suites.columns.$post({ json: { fileName, text } })).catch(() => {
      throw failure
    })
    // A table that has the columns is wrong for another reason.
    if (!table || (table.columns.includes('prompt') && table.columns.includes('scoringMethod'))) throw failure
    return { table, failure }
  }
}

/** Imports a file, a folder or pasted text: shows a preview first, then saves. */
export function ImportDialog({ dropped, onClose }: { dropped: GivenFile[] | undefined; onClose: () => void }) {
  const queries = useQueryClient()
  const chooser = useRef<HTMLInputElement>(null)
  const folderChooser = useRef<HTMLInputElement>(null)
  const [pasted, setPasted] = useKeptText('import')
  const [source, setSource] = useState<Source>()
  const [name, setName] = useState('')
  const reading = useMutation({
    mutationFn: async (from: Choices & { given?: GivenFile[]; source?: Source }) => {
      const { given } = from
      const paths = findSuiteFiles(given?.map(({ path }) => path) ?? [])
      if (given && paths.length > 0) return { files: await readAll(given, paths), others: listOthers(given, paths) }
      const chosen = given ? await readGiven(given) : from.source!
      setSource(chosen)
      return readSource(chosen, from)
    },
    onSuccess: (result) => {
      if ('suite' in result) {
        const { suite } = result.suite
        setName(suite['name'] === PASTED ? 'Untitled suite' : textOf(suite['name']))
      }
    },
  })
  const saving = useSingleMutation({
    mutationFn: (read: SuiteImport) => readReply(api.suites.$post({ json: { suite: { ...read.suite, name } } })),
    onSuccess: ({ id, suite }) => {
      setPasted('')
      void queries.invalidateQueries({ queryKey: ['suites'] })
      toast(`Imported ${formatCount(readCases(suite).length, 'case')}.`)
      navigate(`/suites/${encodeURIComponent(id)}`)
    },
  })
  const readDropped = useEffectEvent(() => {
    if (dropped) reading.mutate({ given: dropped })
  })
  useEffect(() => readDropped(), [])

  // While the columns are tried, the form stays.
  const [table, setTable] = useState<TablePreview>()
  const { data } = reading
  // A recipe that does not fit leaves what was read before.
  const [readBefore, setRead] = useState<SuiteImport>()
  const read = data && 'suite' in data ? data.suite : readBefore
  const shownTable = data && 'table' in data ? data.table : table
  const columns = useMutation({
    mutationFn: ({ fileName, text }: Source) => readReply(api.suites.columns.$post({ json: { fileName, text } })),
    onSuccess: (found) => {
      if (!found.table) return
      reading.reset()
      setRead(undefined)
      setTable(found.table)
    },
  })
  const startOver = () => {
    reading.reset()
    saving.reset()
    setSource(undefined)
    setTable(undefined)
    setRead(undefined)
  }
  const acceptFiles = (files: FileList | null) => {
    const given = listChosen(files)
    if (given.length > 0) reading.mutate({ given })
  }
  if (data && 'files' in data) return <ImportMany {...data} onChooseOther={startOver} onClose={onClose} />
  return (
    <Dialog
      title="Import a suite"
      description="YAML or JSON, a published dataset (CSV, JSON lines, Parquet), or a promptfoo config with its folder."
      width="wide"
      isOpen
      onClose={onClose}
      keepsTyped={!read}
      actions={
        read || shownTable ? (
          <>
            <Button onClick={startOver}>Choose another file</Button>
            {read && (
              <Button
                kind="primary"
                disabled={name.trim() === '' || saving.isPending}
                onClick={() => saving.mutate(read)}
              >
                {saving.isPending ? 'Saving…' : 'Save suite'}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind="primary"
              disabled={pasted.trim() === '' || reading.isPending}
              onClick={() => reading.mutate({ source: { fileName: PASTED, text: pasted } })}
            >
              Read the text
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {source?.files !== undefined && (
          <p className="text-muted">
            {source.fileName} with {formatCount(source.files.length, 'file')} of its folder.
          </p>
        )}
        <FailureNotice failure={saving.error} title="The suite was not saved" />
        <FailureNotice failure={columns.error} title="The columns could not be read" />
        {read && reading.error && <Refused failure={reading.error} source={source} />}
        {read && source ? (
          <Preview
            read={read}
            source={source}
            name={name}
            onName={setName}
            onRecipe={(recipe) => {
              setRead(read)
              reading.mutate({ source, recipe })
            }}
            onColumns={() => columns.mutate(source)}
          />
        ) : shownTable && source ? (
          <>
            {reading.error && <Refused failure={reading.error} source={source} />}
            <ColumnChooser
              table={shownTable}
              isBusy={reading.isPending}
              onChosen={(map) => {
                setTable(shownTable)
                reading.mutate({ source, map })
              }}
            />
          </>
        ) : (
          <>
            {reading.error && <Refused failure={reading.error} source={source} />}
            <div className="flex flex-wrap items-center gap-3">
              <Button disabled={reading.isPending} onClick={() => chooser.current?.click()}>
                {reading.isPending ? 'Reading…' : 'Choose files'}
              </Button>
              <Button disabled={reading.isPending} onClick={() => folderChooser.current?.click()}>
                Choose a folder
              </Button>
              <span className="text-muted">or paste its text</span>
              <input
                ref={chooser}
                type="file"
                className="sr-only"
                tabIndex={-1}
                aria-label="File to import"
                accept=".yaml,.yml,.json,.csv,.tsv,.jsonl,.ndjson,.txt,.parquet"
                multiple
                onChange={(event) => {
                  acceptFiles(event.target.files)
                  event.target.value = ''
                }}
              />
              <input
                ref={folderChooser}
                type="file"
                className="sr-only"
                tabIndex={-1}
                aria-label="Folder to import"
                {...{ webkitdirectory: '' }}
                onChange={(event) => {
                  acceptFiles(event.target.files)
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
              onChange={setPasted}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}
