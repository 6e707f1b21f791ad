import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderOpen, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { trajectorySetTable } from '../../report/tables/trajectory-sets.ts'
import { forRunners } from '../access/for-runners.tsx'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, navigate } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { listChosen } from '../ui/files/dropped-files.ts'
import { AddedFiles } from '../ui/files/AddedFiles.tsx'
import { FileDrop, useFileDrop } from '../ui/files/FileDrop.tsx'
import type { GivenFile } from '../ui/files/given-file.ts'
import { useRowKeys } from '../ui/keys.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { addRuns } from './add-files.ts'

function AddButtonsForRunners({ onFiles }: { onFiles: (files: GivenFile[]) => void }) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => folder.current?.click()}>
        <FolderOpen size={15} aria-hidden /> Add a folder
      </Button>
      <Button kind="primary" onClick={() => files.current?.click()}>
        <Upload size={15} aria-hidden /> Add files
      </Button>
      <input
        ref={files}
        type="file"
        multiple
        aria-label="Files of recorded runs"
        className="hidden"
        onChange={(event) => {
          onFiles(listChosen(event.target.files))
          event.target.value = ''
        }}
      />
      <input
        ref={folder}
        type="file"
        aria-label="Folder of recorded runs"
        className="hidden"
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          onFiles(listChosen(event.target.files))
          event.target.value = ''
        }}
      />
    </>
  )
}

const AddButtons = forRunners(AddButtonsForRunners)

/** Recorded runs of agents: add them, and open those that are there. */
export function Agents() {
  const queries = useQueryClient()
  const [progress, setProgress] = useState('')
  const sets = useQuery({ queryKey: ['trajectories'], queryFn: () => readReply(api.trajectories.$get()) })
  const add = useMutation({
    mutationFn: (files: GivenFile[]) =>
      addRuns(files, (sent, of) =>
        setProgress(sent < of ? `Adding file ${sent + 1} of ${of}…` : 'Reading the conversations…'),
      ),
    onSuccess: (id) => {
      void queries.invalidateQueries({ queryKey: ['trajectories'] })
      navigate(`/agents/${encodeURIComponent(id)}`)
    },
  })
  const onFiles = (files: GivenFile[]) => {
    if (files.length > 0 && !add.isPending) add.mutate(files)
  }
  const dropping = useFileDrop(onFiles)
  useRowKeys('a[data-row]')
  return (
    <FileDrop dropping={dropping} text="Drop recorded runs here">
      <Page
        title="Agents"
        subtitle="Recorded runs of agents: read, compared task by task, and graded. Files stay on this machine."
        actions={<AddButtons onFiles={onFiles} />}
      >
        {add.isPending && <p role="status">{progress}</p>}
        <FailureNotice title="Nothing was added" failure={add.error} />
        <Section
          title="Recorded runs"
          aside={
            <Link to="/tool-calls" className="text-accent-ink hover:underline">
              Partial credit of results files: Tool Calls
            </Link>
          }
        >
          <Loaded
            query={sets}
            what="the recorded runs"
            rows={3}
            empty={
              <p className="max-w-[72ch] text-muted">
                No recorded runs yet. Drop a file or a folder: Claude Code, Codex, ATIF, OpenAI and Anthropic messages,
                OpenTelemetry, Langfuse, LangSmith, Google ADK, SWE-agent, Inspect, tau-bench, tau2-bench or BFCL
                multi-turn.
              </p>
            }
          >
            {(list) => (
              <AddedFiles
                label="Recorded runs"
                columns={trajectorySetTable}
                rows={list}
                addressOf={(id) => `/agents/${encodeURIComponent(id)}`}
                remove={(id) => readReply(api.trajectories[':id'].$delete({ param: { id } }))}
                queryKey="trajectories"
              />
            )}
          </Loaded>
        </Section>
      </Page>
    </FileDrop>
  )
}
