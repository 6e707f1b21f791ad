import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { Finding } from '../../report/checking/check-suite.ts'
import { joinWords } from '../../report/words/index.ts'
import { listChecked } from '../../report/words/suite-checks.ts'
import type { SuiteFindingsView } from '../../server/suites/suite-findings.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { caseAddress } from '../results/addresses.ts'
import { Link } from '../router.tsx'
import { Panel } from '../ui/Page.tsx'

function FindingView({ finding, suiteId, runId }: { finding: Finding; suiteId: string; runId: string | null }) {
  const { sentence, evidence, caseIds } = finding
  // A category can have very many.
  const linked = caseIds.length > 3 ? [] : caseIds
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <div className="break-words">{sentence}</div>
      <ul className="text-muted">
        {evidence.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
      {linked.map((id) => (
        <div key={id} className="flex flex-wrap gap-x-4">
          <Link
            to={`/suites/${encodeURIComponent(suiteId)}?case=${encodeURIComponent(id)}`}
            className="text-accent-ink underline"
          >
            Edit {id}
          </Link>
          {runId !== null && (
            <Link to={caseAddress(runId, { id })} className="text-accent-ink underline">
              Answers to {id}
            </Link>
          )}
        </div>
      ))}
    </li>
  )
}

function Findings({ id, found, hasChanges }: { id: string; found: SuiteFindingsView; hasChanges: boolean }) {
  const { findings, notes, runId } = found
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Looked at {joinWords(listChecked(found))}. {hasChanges && 'Unsaved changes are not checked.'}
      </p>
      {findings.length === 0 ? (
        <p>Nothing wrong found.</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line" aria-label="Findings">
            {findings.map((finding) => (
              <FindingView key={`${finding.kind} ${finding.sentence}`} finding={finding} suiteId={id} runId={runId} />
            ))}
          </ul>
        </Panel>
      )}
      {notes.map((note) => (
        <p key={note} className="text-muted">
          {note}
        </p>
      ))}
    </div>
  )
}

/** What is wrong with the saved suite: each finding with its evidence and links to the cases. */
export function SuiteFindings({ id, hasChanges }: { id: string; hasChanges: boolean }) {
  const found = useQuery({
    queryKey: ['runs', 'findings', id],
    queryFn: () => readReply(api.suites[':id'].findings.$get({ param: { id } })),
  })
  return (
    <Loaded query={found} what="the findings">
      {(view) => <Findings id={id} found={view} hasChanges={hasChanges} />}
    </Loaded>
  )
}
