import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../report/words/index.ts'
import { Link } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Section } from '../../ui/Page.tsx'
import { readCases, textOf } from '../suite-draft.ts'
import { dropDraft, listDrafts } from '../unsaved-draft.ts'
import { NEW_SUITE } from '../use-suite-draft.ts'

/** Unsaved changes that this browser keeps: nothing else would tell that they exist. */
export function DraftList({ suites }: { suites: readonly SuiteSummary[] }) {
  // Not while rendering: the editor that was just left stores or drops its draft first.
  const { data: drafts = [], refetch } = useQuery({
    queryKey: ['drafts'],
    queryFn: () => listDrafts(window.localStorage),
    gcTime: 0,
  })
  if (drafts.length === 0) return null
  const describe = (suiteId: string) => {
    if (suiteId === NEW_SUITE) return 'a new suite'
    const saved = suites.find(({ id }) => id === suiteId)
    return saved ? `changes to ${saved.name}, version ${saved.version}` : 'changes to a suite that was deleted'
  }
  return (
    <Section title="Unsaved drafts" aside="kept in this browser only">
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {drafts.map(({ suiteId, draft }) => {
          const name = textOf(draft.suite['name']) || 'Untitled suite'
          const isOpenable = suiteId === NEW_SUITE || suites.some(({ id }) => id === suiteId)
          return (
            <li key={suiteId} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
              <div className="min-w-0 flex-1 basis-64 break-words">
                <span className="font-medium">{name}</span>{' '}
                <span className="text-muted">
                  {describe(suiteId)}, {formatCount(readCases(draft.suite).length, 'case')},{' '}
                  {formatLocalTime(draft.keptAt)}
                </span>
              </div>
              <Button
                kind="quiet"
                aria-label={`Discard the draft of ${name}`}
                onClick={() => {
                  dropDraft(window.localStorage, suiteId)
                  void refetch()
                }}
              >
                Discard
              </Button>
              {isOpenable && (
                <Link
                  to={`/suites/${encodeURIComponent(suiteId)}`}
                  aria-label={`Open the draft of ${name}`}
                  className={buttonClass()}
                >
                  Open
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
