import { Loaded } from '../ui/Loaded.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import type { ScreenProps } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { formatBytes } from '../../report/words/index.ts'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { CompareFiles } from './CompareFiles.tsx'
import { type Credit, creditNames, useCredit } from './credit.ts'
import { Distribution } from './SummaryFigures.tsx'
import { MistakeTables } from './MistakeTables.tsx'
import { Records } from './Records.tsx'
import { SummaryFigures } from './SummaryFigures.tsx'
import { classes } from '../ui/classes.ts'
import { forRunners } from '../access/for-runners.tsx'
import { useRef } from 'react'
import { addToolCallFile } from './add-file.ts'

function CreditSwitch({ credit, onChange }: { credit: Credit; onChange: (credit: Credit) => void }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Type of credit</legend>
      <div className="flex w-fit rounded-md border border-line bg-surface p-0.5">
        {(['effects', 'calls'] as const).map((name) => (
          <label
            key={name}
            className={classes(
              'rounded px-3 py-1 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              credit === name && 'bg-accent-soft font-medium text-accent-ink',
            )}
          >
            <input
              type="radio"
              name="credit"
              className="sr-only"
              checked={credit === name}
              onChange={() => onChange(name)}
            />
            {creditNames[name].label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** BFCL has the questions and the correct answers in separate files: without the second file nothing can be scored. */
function AddAnswersForRunners({ id }: { id: string }) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const add = useMutation({
    mutationFn: (file: File) => addToolCallFile(file, { answersFor: id }),
    onSuccess: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('toolCall') }),
  })
  return (
    <>
      <Notice
        title="No scores yet"
        action={
          <Button disabled={add.isPending} onClick={() => input.current?.click()}>
            {add.isPending ? 'Scoring…' : 'Add possible answers'}
          </Button>
        }
      >
        BFCL has the correct answers in a separate file, possible_answer/NAME.json. Add it to score the records. If you
        have the question file NAME.json, add it first: it has the types of the parameters.
      </Notice>
      <input
        ref={input}
        type="file"
        aria-label="File with possible answers"
        className="hidden"
        accept=".json,.jsonl"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) add.mutate(file)
          target.value = ''
        }}
      />
      <FailureNotice title="The answers were not added" failure={add.error} />
    </>
  )
}

const AddAnswers = forRunners(AddAnswersForRunners)

function FilePage({ id, file }: { id: string; file: ToolCallFile }) {
  const [credit, setCredit] = useCredit()
  const { name, format, size, summary, statistics, problems, bins } = file
  return (
    <Page
      title={name}
      subtitle={`${format} · ${formatBytes(size)}`}
      actions={
        <a
          href={apiAddress(api.toolCalls[':id'].scored.$path({ param: { id }, query: { credit } }))}
          download
          className={buttonClass()}
        >
          Download with partial scores
        </a>
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        <CreditSwitch credit={credit} onChange={setCredit} />
        <p className="min-w-0 flex-1 basis-72 text-muted">{creditNames[credit].description}</p>
      </div>
      {problems.length > 0 && (
        <Notice kind="warning" title="Not everything in this file could be used">
          <ul className="list-disc pl-4">
            {problems.slice(0, 8).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
            {problems.length > 8 && <li>… and {problems.length - 8} more</li>}
          </ul>
        </Notice>
      )}
      {format === 'bfcl' && summary.scored === 0 && <AddAnswers id={id} />}
      <SummaryFigures summary={summary} />
      <Distribution bins={bins} />
      <MistakeTables summary={summary} />
      <CompareFiles id={id} credit={credit} />
      <Records id={id} credit={credit} />
      <Section title="Command-line output">
        <details>
          <summary className="w-fit text-muted">
            benchmaker partial-score {name}
            {credit === 'effects' && ' --credit effects'}
          </summary>
          <pre
            className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
            tabIndex={0}
            aria-label="Statistics as text"
          >
            {statistics}
          </pre>
        </details>
      </Section>
    </Page>
  )
}

/** One results file: what succeeded, how close the failures were, and why. */
export function ToolCallFileScreen({ params }: ScreenProps) {
  const id = params['id']!
  const [credit] = useCredit()
  const file = useQuery({
    queryKey: ['toolCallFile', id, credit],
    queryFn: () => readReply(api.toolCalls[':id'].$get({ param: { id }, query: { credit } })),
    placeholderData: (previous) => previous,
  })
  return (
    <Loaded query={file} what="the file" rows={8} page="Tool Calls" back={{ to: '/tool-calls', label: 'All files' }}>
      {(loaded) => <FilePage id={id} file={loaded} />}
    </Loaded>
  )
}
