import { Loaded } from '../ui/Loaded.tsx'
import { useToolCallFiles } from '../queries.ts'
import { forRunners, RunnersOnly } from '../access/for-runners.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { fileTable } from '../../report/tables/tool-calls.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { AddedFiles } from '../ui/files/AddedFiles.tsx'
import { addToolCallFile } from './add-file.ts'
import { useRef, useState } from 'react'
import { classes } from '../ui/classes.ts'

/** Accepts one file, dropped or chosen. */
function DropZoneForRunners({
  onFile,
  isBusy,
  busyText,
}: {
  onFile: (file: File) => void
  isBusy: boolean
  busyText: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const acceptFirst = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDraggedOver(false)
        acceptFirst(event.dataTransfer.files)
      }}
      className={classes(
        'flex flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-8 text-center',
        isDraggedOver ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
      )}
    >
      <Upload size={20} aria-hidden className="text-muted" />
      {isBusy ? (
        <div role="status">{busyText}</div>
      ) : (
        <>
          <div>Drop a results file here: tau-bench, tau2-bench, BFCL, OpenAI or Anthropic messages</div>
          <button type="button" className={buttonClass('primary')} onClick={() => input.current?.click()}>
            Choose a file
          </button>
          <div className="text-xs text-muted">Files stay on this machine. Maximum size: 512 MB.</div>
        </>
      )}
      <input
        ref={input}
        type="file"
        aria-label="Results file"
        className="hidden"
        accept=".json,.jsonl,application/json"
        onChange={(event) => {
          acceptFirst(event.target.files)
          event.target.value = ''
        }}
      />
    </div>
  )
}

const DropZone = forRunners(DropZoneForRunners)

/** Results files of tool-calling agents. */
export function ToolCallFiles() {
  const queries = useQueryClient()
  const files = useToolCallFiles()
  const add = useMutation({
    mutationFn: ({ file, salvage }: { file: File; salvage: boolean }) =>
      addToolCallFile(file, salvage ? { salvage: '1' } : {}),
    onSuccess: (file) => {
      void queries.invalidateQueries({ queryKey: ['toolCallFiles'] })
      navigate(`/tool-calls/${encodeURIComponent(file.id)}`)
    },
  })
  return (
    <Page
      title="Tool Calls"
      subtitle="How close an agent came: partial credit for calls to the right tool with some wrong arguments."
    >
      <DropZone
        onFile={(file) => add.mutate({ file, salvage: false })}
        isBusy={add.isPending}
        busyText="Reading and scoring the file…"
      />
      <FailureNotice
        title="The file was not added"
        failure={add.error}
        action={
          add.error &&
          !add.variables.salvage &&
          /cut off/.test(add.error.message) && (
            <Button onClick={() => add.mutate({ file: add.variables.file, salvage: true })}>
              Use the complete records
            </Button>
          )
        }
      />
      <Section title="Files">
        <Loaded
          query={files}
          what="the files"
          rows={3}
          empty={
            <p className="text-muted">
              No files yet. <RunnersOnly>Files you add appear here.</RunnersOnly>
            </p>
          }
        >
          {(list) => (
            <AddedFiles
              label="Files"
              columns={fileTable}
              rows={list}
              addressOf={(id) => `/tool-calls/${encodeURIComponent(id)}`}
              remove={(id) => readReply(api.toolCalls[':id'].$delete({ param: { id } }))}
              queryKey="toolCallFiles"
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
