import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import { type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { formatBytes } from '../../report/words/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { AddAnswers } from './AddAnswers.tsx'
import { CompareFiles } from './CompareFiles.tsx'
import { creditNames, useCredit } from './credit.ts'
import { CreditSwitch } from './CreditSwitch.tsx'
import { Distribution } from './Distribution.tsx'
import { MistakeTables } from './MistakeTables.tsx'
import { Records } from './Records.tsx'
import { SummaryFigures } from './SummaryFigures.tsx'

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
