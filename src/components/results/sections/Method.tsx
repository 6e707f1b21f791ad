import type { ResultsView } from '../../../server/results/results-view.ts'
import { describeParameters, describeRunState } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
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
        <div className="scroll-cue overflow-x-auto" tabIndex={0} role="group" aria-label="Runs, scrolls sideways">
          <table className="w-full text-[13px]">
            <thead className="text-left text-xs text-muted">
              <tr>
                {['Run', 'State', 'Started', 'Ended', 'Parameters', 'Judge', 'Versions'].map((title) => (
                  <th key={title} scope="col" className="py-1 pr-4 font-normal">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {view.runs.map((run) => (
                <tr key={run.id} className="border-t border-line align-top">
                  <th scope="row" className="py-1 pr-4 text-left font-mono text-xs font-normal">
                    {run.id}
                  </th>
                  <td className="pr-4 whitespace-nowrap">{describeRunState(run)}</td>
                  <td className="pr-4 whitespace-nowrap">{formatLocalTime(run.startedAt)}</td>
                  <td className="pr-4 whitespace-nowrap">{formatLocalTime(run.completedAt)}</td>
                  <td className="pr-4">{describeParameters(run.parameters)}</td>
                  <td className="pr-4 break-words">{run.judgeModel ?? 'none'}</td>
                  <td className="text-xs">
                    {Object.entries(run.versions ?? {})
                      .map(([name, version]) => `${name} ${version}`)
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Prompt title="System prompt" text={view.suite?.systemPrompt} />
        <Prompt title="Judge prompt" text={view.suite?.judgeSystemPrompt} />
      </Panel>
    </details>
  )
}
