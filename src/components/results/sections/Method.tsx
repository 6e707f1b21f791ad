import type { ResultsView } from '../../../server/results/results-view.ts'
import { describeModelParameters, describeParameters } from '../../../report/words/index.ts'
import { settingsTable } from '../../../report/tables/runs.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { Panel } from '../../ui/Page.tsx'

function Prompt({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <div>
      <h3 className="text-[13px] font-medium">{title}</h3>
      <pre
        className="max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
        tabIndex={0}
        aria-label={title}
      >
        {text}
      </pre>
    </div>
  )
}

/** What was asked of every model alike. */
function describeSettings({ runs }: ResultsView): string {
  const [first] = runs
  const judges = [...new Set(runs.flatMap(({ judgeModel }) => judgeModel?.split(',') ?? []))]
  const facts = [
    describeParameters(first?.parameters),
    ...describeModelParameters(first ?? {}),
    judges.length > 0 ? `judged by ${judges.join(', ')}` : 'no judge',
    first?.project === undefined ? undefined : `paid by ${first.project}`,
  ]
  return facts.filter((fact) => fact !== undefined).join(' · ')
}

/** How the numbers were calculated, and everything needed to reproduce them. */
export function Method({ view }: { view: ResultsView }) {
  return (
    <details id="method">
      <summary className="w-fit py-1 text-[15px] font-semibold">How these numbers were calculated</summary>
      <Panel className="mt-2 flex flex-col gap-4 p-4">
        <ul className="max-w-4xl list-disc pl-5">
          {view.method.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <p className="break-words">{describeSettings(view)}</p>
        <DataTable
          label="Runs"
          isFramed={false}
          columns={settingsTable}
          rows={view.runs}
          keyOf={({ id }) => id}
          draw={{
            run: ({ id }) => <span className="font-mono text-xs font-normal">{id}</span>,
            started: ({ startedAt }) => formatLocalTime(startedAt),
            ended: ({ completedAt }) => formatLocalTime(completedAt),
          }}
        />
        <Prompt title="System prompt" text={view.suite?.systemPrompt} />
        <Prompt title="Judge prompt" text={view.suite?.judgeSystemPrompt} />
      </Panel>
    </details>
  )
}
