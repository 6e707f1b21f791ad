import { Loaded } from '../../ui/Loaded.tsx'
import { useSuites } from '../../queries.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useMay } from '../../access/session.ts'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { FileUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { FileDrop, useFileDrop } from '../../ui/files/FileDrop.tsx'
import type { GivenFile } from '../../ui/files/given-file.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { useRowKeys } from '../../ui/keys.ts'
import { ImportResults } from '../../results/import/ImportResults.tsx'
import { ListedSuites } from './ListedSuites.tsx'
import { useQuery } from '@tanstack/react-query'
import { useUndoable } from '../../ui/use-undoable.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { readCases, textOf } from '../suite-draft.ts'
import { dropDraft, listDrafts } from '../unsaved-draft.ts'
import { NEW_SUITE } from '../use-suite-draft.ts'

/** Leaves a while to take it back. */
function DiscardDraft({ name, onDiscard }: { name: string; onDiscard: () => void }) {
  const discarding = useUndoable(onDiscard)
  return discarding.isPending ? (
    <>
      <span role="status" className="text-muted">
        Discarding…
      </span>
      <Button aria-label={`Keep the draft of ${name}`} onClick={discarding.undo}>
        Undo
      </Button>
    </>
  ) : (
    <Button kind="quiet" aria-label={`Discard the draft of ${name}`} onClick={discarding.start}>
      Discard
    </Button>
  )
}

/** Unsaved changes that this browser keeps: nothing else would tell that they exist. */
function DraftList({ suites }: { suites: readonly SuiteSummary[] }) {
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
              <DiscardDraft
                name={name}
                onDiscard={() => {
                  dropDraft(window.localStorage, suiteId)
                  void refetch()
                }}
              />
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

/** Files that are never suites: results of other tools. */
function isResultsName({ path }: GivenFile): boolean {
  return /\.(eval|parquet)$/i.test(path)
}

/** `/suites`: all suites, and how to create one. */
export function SuiteList() {
  const [isImporting, setImporting] = useState(false)
  const [dropped, setDropped] = useState<GivenFile[]>()
  const [results, setResults] = useState<readonly GivenFile[]>()
  const suites = useSuites()
  useRowKeys('[data-suite-link]')
  const mayImport = useMay('runner')
  const dropping = useFileDrop((files) => {
    if (files.length > 0 && files.every(isResultsName)) {
      setResults(files)
      return
    }
    setDropped(files)
    setImporting(true)
  })
  return (
    <FileDrop dropping={dropping} text="Drop to preview before anything is saved">
      <Page
        title="Suites"
        subtitle={`Sets of questions and how to score the answers.${mayImport ? ' Drop files or a folder anywhere on this page to import them.' : ''}`}
        actions={
          <>
            <RunnersOnly>
              <Button onClick={() => setImporting(true)}>
                <FileUp size={16} aria-hidden />
                Import
              </Button>
              <Link to="/suites/new" className={buttonClass('primary')}>
                <Plus size={16} aria-hidden />
                New suite
              </Link>
            </RunnersOnly>
          </>
        }
      >
        <Loaded query={suites} what="the suites">
          {(all) => (
            <>
              <DraftList suites={all} />
              {all.length === 0 ? (
                <EmptyState
                  title="No suites yet."
                  action={
                    <RunnersOnly>
                      <Link to="/suites/new" className={buttonClass()}>
                        New suite
                      </Link>
                    </RunnersOnly>
                  }
                >
                  Create one, or import YAML, JSON, CSV, JSON lines or a promptfoo config.
                </EmptyState>
              ) : (
                <ListedSuites suites={all} />
              )}
            </>
          )}
        </Loaded>
      </Page>
      {results && <ImportResults files={results} onClose={() => setResults(undefined)} />}
      {isImporting && (
        <ImportDialog
          dropped={dropped}
          onClose={() => {
            setImporting(false)
            setDropped(undefined)
          }}
        />
      )}
    </FileDrop>
  )
}
