import { EditableByRunners, RunnersOnly } from '../access/for-runners.tsx'
import type { SuiteDocument } from '../../server/suites/suite-documents.ts'
import type { ScorerInfo } from '../../server/suites/scorer-list.ts'
import { Ellipsis, Redo2, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { InputError } from '../../contract/index.ts'
import { navigate, useAddress, Link } from '../router.tsx'
import { Button, IconButton, buttonClass } from '../ui/Button.tsx'
import { hasOwnUndo, isDialogOpen, useAllKeys } from '../ui/keys.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { Menu, MenuItem, MenuLine, MenuLink } from '../ui/Menu.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { toast } from '../ui/toast.ts'
import { CasesTab } from './CasesTab.tsx'
import { exportAddress, exportFormats } from './list/export-formats.ts'
import { GenerateDialog } from './GenerateDialog.tsx'
import { lookUpProblems, type Place } from './problem-places.ts'
import { ProblemSummary } from './ProblemSummary.tsx'
import { SourceTab } from './SourceTab.tsx'
import { addCases, keepGroups, readCases, textOf } from './suite-draft.ts'
import { findChangedCase } from './suite-history.ts'
import { SuiteFields } from './SuiteFields.tsx'
import { SuiteFindings } from './SuiteFindings.tsx'
import { useLeaveWarning } from './use-leave-warning.ts'
import { NEW_SUITE, useSuiteDraft, type SuiteDraft } from './use-suite-draft.ts'
import { useSuiteCheck, useSuiteSaving } from './use-suite-saving.ts'
import { Dialog } from '../ui/Dialog.tsx'

interface ConflictDialogProps {
  suiteId: string
  /** The version that the changes are based on. */
  after: number | undefined
  isOpen: boolean
  onClose: () => void
  onKeepMine: () => void
  onUseTheirs: () => void
}

/** Another person or tab saved a newer version: nothing was written, and the user decides. */
function ConflictDialog({ suiteId, after, isOpen, onClose, onKeepMine, onUseTheirs }: ConflictDialogProps) {
  return (
    <Dialog
      title="This suite has a newer version"
      description="Another tab or person saved it after you opened it. Your changes are still here; nothing was written."
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={onUseTheirs}>
            Use theirs
          </Button>
          <Button kind="primary" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-start gap-3">
        <Link
          to={`/suites/${encodeURIComponent(suiteId)}/history${after === undefined ? '' : `?from=${after}`}`}
          target="_blank"
          rel="noopener"
          className={buttonClass()}
        >
          View theirs in a new tab
        </Link>
        <ul className="list-disc pl-4">
          <li>
            <strong className="font-medium">Keep mine</strong> saves yours as the newest version. Theirs stays in the
            history.
          </li>
          <li>
            <strong className="font-medium">Use theirs</strong> discards your unsaved changes and loads the newest
            version.
          </li>
        </ul>
      </div>
    </Dialog>
  )
}

function RecoveredChanges({ draft }: { draft: SuiteDraft }) {
  if (!draft.recovered) return null
  return (
    <Notice
      title={`You have unsaved changes from ${formatLocalTime(draft.recovered.keptAt)}`}
      action={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={draft.discardRecovered}>Discard</Button>
          <Button onClick={draft.restore}>Restore</Button>
        </div>
      }
    >
      This browser saved them when you left the page. Restore or discard them before you continue editing.
    </Notice>
  )
}

interface WorkbenchProps {
  id: string
  document: SuiteDocument | undefined
  scorers: ScorerInfo[]
}

/** The suite editor: cases, suite fields, source and saving. */
export function SuiteWorkbench({ id, document, scorers }: WorkbenchProps) {
  const isNew = id === NEW_SUITE
  const [address, setAddress] = useAddress()
  const draft = useSuiteDraft(id, document)
  const { suite, isDirty } = draft
  const [pendingSource, setPendingSource] = useState<string>()
  const [isGenerating, setGenerating] = useState(false)
  const hasChanges = isDirty || pendingSource !== undefined
  const check = useSuiteCheck(suite, !isNew || isDirty)
  const problems = useMemo(() => lookUpProblems(check.problems), [check.problems])
  const caseIds = useMemo(() => readCases(suite).map(({ id: caseId }) => textOf(caseId)), [suite])

  const saving = useSuiteSaving({
    id,
    draft,
    onProblems: check.show,
    readCurrent: async () => {
      if (pendingSource === undefined) return suite
      const { readSource } = await import('./suite-source.ts')
      const read = readSource(pendingSource)
      if ('error' in read)
        throw new InputError(
          `The source is invalid: line ${read.place.line}, column ${read.place.column}: ${read.error} Nothing was saved.`,
        )
      setPendingSource(undefined)
      draft.edit(() => read.suite)
      return read.suite
    },
  })
  useLeaveWarning(hasChanges)
  // Text under Source that is not valid yet would be lost.
  const canTravel = pendingSource === undefined && !draft.recovered
  const travel = (step: 'undo' | 'redo') => {
    if (!canTravel) return
    const after = draft[step]()
    const index = findChangedCase(suite, after)
    const changedId = index === undefined ? undefined : textOf(readCases(after)[index]?.['id'])
    if (changedId !== undefined && address.get('tab') === null) setAddress({ case: changedId, q: undefined })
  }
  const canSave = (hasChanges || isNew) && !draft.recovered && !saving.isConflict
  useAllKeys((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return false
    const key = event.key.toLowerCase()
    if (key === 's') {
      if (canSave) saving.save()
      return true
    }
    // A text field has an undo of its own.
    if ((key !== 'z' && key !== 'y') || hasOwnUndo(event.target) || isDialogOpen()) return false
    travel(key === 'y' || event.shiftKey ? 'redo' : 'undo')
    return true
  })

  const run = (suiteId: string) => navigate(`/arena?suite=${encodeURIComponent(suiteId)}`)
  const goTo = ({ caseIndex, field }: Place) => {
    if (caseIndex !== undefined) setAddress({ tab: undefined, q: undefined, case: caseIds[caseIndex] })
    else setAddress({ tab: field === 'testCases' ? undefined : 'suite' })
    window.setTimeout(() =>
      window.document.querySelector<HTMLElement>('main [role=tabpanel] [aria-invalid=true]')?.focus(),
    )
  }
  const keep = (groups: string[][]) => {
    draft.edit((before) => keepGroups(before, groups))
    toast('The cases of each group have a cluster now. Save the suite to keep them.')
  }
  const title = textOf(suite['name']) || 'Untitled suite'
  const tabs = [
    {
      id: 'cases',
      label: 'Cases',
      content: <CasesTab {...{ suite, scorers, problems }} revision={draft.revision} onChange={draft.edit} />,
    },
    {
      id: 'suite',
      label: 'Suite',
      content: (
        <EditableByRunners>
          <SuiteFields key={draft.revision} {...{ suite, problems }} onChange={draft.edit} />
        </EditableByRunners>
      ),
    },
    {
      id: 'source',
      label: 'Source',
      content: (
        <SourceTab
          key={draft.revision}
          suite={suite}
          problems={check.problems}
          pending={pendingSource}
          onPending={setPendingSource}
          onChange={(next) => draft.edit(() => next)}
        />
      ),
    },
    ...(isNew
      ? []
      : [{ id: 'check', label: 'Check', content: <SuiteFindings {...{ id, hasChanges }} onKeep={keep} /> }]),
  ]
  return (
    <Page
      title={title}
      subtitle={
        <span role="status">
          {isNew ? 'New' : `Version ${draft.after}`}
          {hasChanges ? ' · unsaved changes' : !isNew && ' · saved'}
        </span>
      }
      actions={
        <>
          <RunnersOnly>
            <IconButton
              label="Undo"
              title="Undo (Ctrl+Z)"
              disabled={!draft.canUndo || !canTravel}
              onClick={() => travel('undo')}
            >
              <Undo2 size={16} aria-hidden />
            </IconButton>
            <IconButton
              label="Redo"
              title="Redo (Ctrl+Shift+Z)"
              disabled={!draft.canRedo || !canTravel}
              onClick={() => travel('redo')}
            >
              <Redo2 size={16} aria-hidden />
            </IconButton>
          </RunnersOnly>
          <Menu
            trigger={
              <IconButton label="More actions">
                <Ellipsis size={18} aria-hidden />
              </IconButton>
            }
          >
            {!isNew && (
              <>
                <MenuItem onSelect={() => navigate(`/suites/${encodeURIComponent(id)}/history`)}>History</MenuItem>
                <MenuItem onSelect={() => navigate(`/suites/${encodeURIComponent(id)}/trend`)}>Trend</MenuItem>
                <MenuLine />
                {exportFormats.map(({ format, label }) => (
                  <MenuLink key={format} href={exportAddress(id, format)} download>
                    Export as {label}
                  </MenuLink>
                ))}
                <MenuLine />
              </>
            )}
            <MenuItem onSelect={() => navigate('/suites')}>All suites</MenuItem>
          </Menu>
          <RunnersOnly>
            <Button onClick={() => setGenerating(true)}>Generate cases</Button>
            <Button onClick={() => (hasChanges || isNew ? saving.save({ then: run }) : run(id))}>
              {hasChanges || isNew ? 'Save and run' : 'Run'}
            </Button>
            <Button
              kind="primary"
              disabled={(!hasChanges && !isNew) || saving.isSaving || draft.recovered !== undefined}
              onClick={() => saving.save()}
              title="Ctrl+S"
            >
              {saving.isSaving ? 'Saving…' : 'Save'}
            </Button>
          </RunnersOnly>
        </>
      }
    >
      <RecoveredChanges draft={draft} />
      {saving.failure !== undefined && !saving.isRefused && (
        <FailureNotice failure={saving.failure} title="The suite was not saved. Your changes are still here." />
      )}
      {!draft.isStored && (
        <Notice kind="warning">
          This browser has no room to store unsaved changes of this size, so a reload would lose them. Save often.
        </Notice>
      )}
      {pendingSource !== undefined && address.get('tab') !== 'source' && (
        <Notice kind="warning" action={<Button onClick={() => setAddress({ tab: 'source' })}>Go to Source</Button>}>
          The text under Source is not valid yet; this form shows the last valid suite.
        </Notice>
      )}
      {check.failure !== undefined && !check.isCurrent && saving.failure === undefined && (
        <Notice kind="warning">
          The last changes could not be checked, because the server is not responding. They are stored in this browser.
        </Notice>
      )}
      {address.get('tab') !== 'source' && (
        <ProblemSummary
          problems={check.problems}
          warnings={check.warnings}
          caseIds={caseIds}
          isRefused={saving.isRefused}
          onSelect={goTo}
        />
      )}
      <div inert={draft.recovered !== undefined} className={draft.recovered ? 'opacity-50' : undefined}>
        <Tabs
          label="Suite views"
          tabs={tabs}
          value={tabs.find((tab) => tab.id === address.get('tab'))?.id ?? 'cases'}
          onChange={(tab) => setAddress({ tab: tab === 'cases' ? undefined : tab })}
        />
      </div>
      <GenerateDialog
        scorers={scorers}
        isOpen={isGenerating}
        onClose={() => setGenerating(false)}
        onAdd={(cases) => {
          draft.edit((before) => addCases(before, cases))
          toast(`${cases.length} added. Save the suite to keep them.`)
        }}
      />
      <ConflictDialog
        suiteId={id}
        after={draft.after}
        isOpen={saving.isConflict}
        onClose={saving.closeConflict}
        onKeepMine={() => saving.save({ isOverwrite: true })}
        onUseTheirs={saving.loadTheirs}
      />
    </Page>
  )
}
