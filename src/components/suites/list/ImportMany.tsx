import { messageOf } from '../../../contract/index.ts'
import type { SuiteImport } from '../../../server/suites/routes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Checkbox } from '../../ui/form/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { readCases, textOf } from '../suite-draft.ts'
import type { GivenFile } from '../../ui/files/given-file.ts'
import { describeOthers, readGiven } from './given-files.ts'
import { nameFormat } from './import-places.ts'

interface ReadFile {
  path: string
  read?: SuiteImport
  problem?: string
}

/** A suite may name the files beside it; many or large ones are suites of their own, and sending all for each is slow. */
const MAX_BESIDE_BYTES = 1_000_000

function filesFor(given: readonly GivenFile[], path: string): readonly GivenFile[] {
  const size = given.reduce((sum, { file }) => sum + file.size, 0)
  return size <= MAX_BESIDE_BYTES ? given : given.filter((one) => one.path === path)
}

async function readOne(given: readonly GivenFile[], path: string): Promise<ReadFile> {
  try {
    const { fileName, text, files } = await readGiven(filesFor(given, path), path)
    const json = { fileName, text, ...(files && { files }) }
    return { path, read: await readReply(api.suites.import.$post({ json })) }
  } catch (error) {
    const message = messageOf(error)
    const fileName = path.split('/').at(-1)!
    return { path, problem: message.startsWith(`${fileName}: `) ? message.slice(fileName.length + 2) : message }
  }
}

/** Reads each file as a suite, one after another: a dropped folder can hold many large ones. */
export async function readAll(given: readonly GivenFile[], paths: readonly string[]): Promise<ReadFile[]> {
  const files: ReadFile[] = []
  for (const path of paths) files.push(await readOne(given, path))
  return files
}

function describeRead({ suite, format, warnings }: SuiteImport): string {
  return [
    nameFormat(format),
    formatCount(readCases(suite).length, 'case'),
    ...(warnings.length > 0 ? [formatCount(warnings.length, 'warning')] : []),
  ].join(', ')
}

interface ImportManyProps {
  files: readonly ReadFile[]
  /** The paths of the other files that were given. */
  others: readonly string[]
  onChooseOther: () => void
  onClose: () => void
}

/** Imports several suites at once: shows what each file is, then saves those that are ticked. */
export function ImportMany({ files, others, onChooseOther, onClose }: ImportManyProps) {
  const queries = useQueryClient()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = files.filter(({ path, read }) => read && !left.has(path))
  const saving = useSingleMutation({
    mutationFn: async () => {
      for (const { path, read } of chosen) {
        await readReply(api.suites.$post({ json: { suite: read!.suite } }))
        // If a later one fails, saving again must not save this one twice.
        setLeft((before) => new Set([...before, path]))
      }
      return chosen.length
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['suites'] }),
    onSuccess: (count) => {
      toast(`Imported ${formatCount(count, 'suite')}.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Import ${formatCount(files.length, 'file')}`}
      description="Each file that can be read becomes a suite. Nothing is saved yet."
      width="wide"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onChooseOther}>Choose other files</Button>
          <Button kind="primary" disabled={chosen.length === 0 || saving.isPending} onClick={() => saving.mutate()}>
            {saving.isPending ? 'Saving…' : `Save ${formatCount(chosen.length, 'suite')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FailureNotice failure={saving.error} title="Not every suite was saved" />
        <ul className="divide-y divide-line rounded-md border border-line" aria-label="Files">
          {files.map(({ path, read, problem }) => (
            <li key={path} className="flex flex-col gap-0.5 px-3 py-2">
              {read ? (
                <Checkbox
                  label={
                    <span className="break-words">
                      <span className="font-medium">{textOf(read.suite['name'])}</span>{' '}
                      <span className="text-muted">
                        {path}: {describeRead(read)}
                      </span>
                    </span>
                  }
                  checked={!left.has(path)}
                  disabled={saving.isPending}
                  onChange={({ target }) => {
                    const next = new Set(left)
                    if (target.checked) next.delete(path)
                    else next.add(path)
                    setLeft(next)
                  }}
                />
              ) : (
                <span className="break-words">
                  <span className="font-medium">{path}</span>{' '}
                  <span className="line-clamp-3 text-danger">{problem}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
        {others.length > 0 && <p className="break-words text-muted">{describeOthers(others)}</p>}
      </div>
    </Dialog>
  )
}
