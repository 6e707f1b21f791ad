import { RunnersOnly } from '../access/for-runners.tsx'
import { Button } from '../ui/Button.tsx'
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

type Templates = NonNullable<SuiteFindingsView['templates']>

function SentenceWithEvidence({ sentence, evidence }: Pick<Finding, 'sentence' | 'evidence'>) {
  return (
    <>
      <div className="break-words">{sentence}</div>
      <ul className="text-muted">
        {evidence.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Cases that look like variants of one template, and the offer to count each template once. */
function TemplatesView({ templates, onKeep }: { templates: Templates; onKeep: (groups: string[][]) => void }) {
  const { sentence, evidence, groups } = templates
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <SentenceWithEvidence sentence={sentence} evidence={evidence} />
      <RunnersOnly>
        <div>
          <Button onClick={() => onKeep(groups)}>Keep these groups</Button>
        </div>
      </RunnersOnly>
    </li>
  )
}

function FindingView({ finding, suiteId, runId }: { finding: Finding; suiteId: string; runId: string | null }) {
  const { sentence, evidence, caseIds } = finding
  // A category can have very many.
  const linked = caseIds.length > 3 ? [] : caseIds
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <SentenceWithEvidence sentence={sentence} evidence={evidence} />
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

interface SuiteFindingsProps {
  id: string
  hasChanges: boolean
  /** Gives the cases of each group a cluster. */
  onKeep: (groups: string[][]) => void
}

function Findings({ id, found, hasChanges, onKeep }: SuiteFindingsProps & { found: SuiteFindingsView }) {
  const { findings, templates, notes, runId } = found
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Looked at {joinWords(listChecked(found))}. {hasChanges && 'Unsaved changes are not checked.'}
      </p>
      {findings.length === 0 && !templates ? (
        <p>Nothing wrong found.</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line" aria-label="Findings">
            {findings.map((finding) => (
              <FindingView key={`${finding.kind} ${finding.sentence}`} finding={finding} suiteId={id} runId={runId} />
            ))}
            {templates && <TemplatesView templates={templates} onKeep={onKeep} />}
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
export function SuiteFindings(props: SuiteFindingsProps) {
  const { id } = props
  const found = useQuery({
    queryKey: ['runs', 'findings', id],
    queryFn: () => readReply(api.suites[':id'].findings.$get({ param: { id } })),
  })
  return (
    <Loaded query={found} what="the findings">
      {(view) => <Findings {...props} found={view} />}
    </Loaded>
  )
}
