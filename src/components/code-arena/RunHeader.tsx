import { isLive } from '../../contract/index.ts'
import type { ArenaRun } from '../../stores/liveRunStore.ts'
import { Ellipsis } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { capitalise, describeRunState, excerpt, formatCount } from '../../report/words/index.ts'
import { describePageJudges } from '../../report/words/code-arena.ts'
import { describePace, describeSpent } from '../../report/words/runs/progress.ts'
import { navigate } from '../router.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { describeSimulated } from '../../report/words/models.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import { reuseRun } from './code-arena-choices.ts'

/** How far the run is and what it cost: `Running`, `1 of 2 pages done`, … */
function listFacts(view: ArenaRun): string[] {
  const { done, total, errors, state } = view
  return [
    capitalise(describeRunState(view)),
    ...(done < total || isLive(view) ? [`${done} of ${formatCount(total, 'page')} done`] : []),
    ...describePace(view, state),
    describeSpent(view),
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
  ]
}

function PromptDialog({
  view,
  areNamesShown,
  isOpen,
  onClose,
}: {
  view: ArenaRun
  areNamesShown: boolean
  isOpen: boolean
  onClose: () => void
}) {
  const models = view.pages.map(({ modelId }) => modelId)
  return (
    <Dialog
      title="Prompt"
      description={[
        `${formatCount(models.length, 'model')}${describeSimulated(models)}`,
        // The judge may be one of the models.
        ...(areNamesShown ? [describePageJudges(view.judgeModel ? [view.judgeModel] : [], view)] : []),
        `started ${formatLocalTime(view.startedAt)}`,
      ].join(' · ')}
      width="wide"
      isOpen={isOpen}
      onClose={onClose}
    >
      <div tabIndex={0} role="region" aria-label="Prompt and system prompt" className="flex flex-col gap-3">
        <p className="break-words whitespace-pre-wrap">{view.prompt}</p>
        <div>
          <div className="text-xs text-muted">System prompt</div>
          <p className="text-[13px] break-words whitespace-pre-wrap">
            {view.systemPrompt === '' ? 'None.' : view.systemPrompt}
          </p>
        </div>
      </div>
    </Dialog>
  )
}

interface RunHeaderProps {
  view: ArenaRun
  areNamesShown: boolean
  /** What the screen shows: layout and width. */
  controls: ReactNode
  /** Stop and resume. */
  actions: ReactNode
}

/** One row above the pages; a second one only where the window is too narrow. */
export function RunHeader({ view, areNamesShown, controls, actions }: RunHeaderProps) {
  const [isPromptShown, setPromptShown] = useState(false)
  const isNarrow = useNarrow()
  const title = excerpt(view.prompt, 90)
  useEffect(() => {
    document.title = `${title} · Benchmaker`
  }, [title])
  const facts = listFacts(view)
  const { done, total } = view
  const reuse = () => {
    reuseRun({
      prompt: view.prompt,
      isQuickJudge: view.isQuickJudge,
      models: view.pages.map(({ modelId }) => modelId),
    })
    navigate('/code-arena')
  }
  return (
    <header className="relative flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <div className="flex min-w-0 flex-1 basis-80 items-baseline gap-x-3">
        <h1 className="min-w-0 truncate text-base font-semibold" title={view.prompt.slice(0, 500)}>
          {title}
        </h1>
        <span
          className="max-w-[60%] shrink-0 truncate text-[13px] text-muted tabular-nums max-xl:hidden"
          title={facts.join(' · ')}
        >
          {facts.join(' · ')}
        </span>
      </div>
      <div className="sr-only" aria-live="polite">
        {facts.slice(0, 2).join(', ')}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
        {controls}
        {actions}
        <Button kind="quiet" className="max-sm:hidden" onClick={() => setPromptShown(true)}>
          Prompt
        </Button>
        <Menu
          trigger={
            <IconButton label="More actions">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          {isNarrow && <MenuItem onSelect={() => setPromptShown(true)}>Prompt</MenuItem>}
          <MenuItem onSelect={reuse}>Reuse prompt and models</MenuItem>
          {view.seriesId !== undefined && (
            <MenuItem onSelect={() => navigate(`/results/${encodeURIComponent(`series:${view.seriesId}`)}`)}>
              Series results
            </MenuItem>
          )}
          <MenuItem onSelect={() => navigate('/code-arena?tab=history')}>All runs</MenuItem>
        </Menu>
      </div>
      {done < total && (
        <div className="absolute inset-x-0 -bottom-1.5 [&>*]:h-0.5">
          <ProgressBar label={`${done} of ${formatCount(total, 'page')} done`} value={done} max={total} />
        </div>
      )}
      <PromptDialog
        view={view}
        areNamesShown={areNamesShown}
        isOpen={isPromptShown}
        onClose={() => setPromptShown(false)}
      />
    </header>
  )
}
