import { arenaRunAddress } from '../vote/voter.ts'
import { ChevronRight, Columns2 } from 'lucide-react'
import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import { excerpt, formatCount } from '../../../report/words/index.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { navigate } from '../../router.tsx'
import { listGapLines, type TurnStep } from './turn-path.ts'
import { useTurns } from './use-turns.ts'

/** Keeps the layout of the screen when going from turn to turn. */
function keepView(query: URLSearchParams, runId: string): string {
  const kept = new URLSearchParams(
    ['width', 'view', 'model', 'turns'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  return `${arenaRunAddress(runId)}${kept.size > 0 ? `?${kept}` : ''}`
}

function Step({ step: { turn, prompt, run, versions, isShown } }: { step: TurnStep }) {
  const [query] = useAddress()
  const label = (
    <>
      <span className="tabular-nums">Turn {turn}</span>
      <span className={classes('max-w-40 truncate max-sm:hidden', !isShown && 'text-muted')}>
        {excerpt(prompt, 40)}
      </span>
    </>
  )
  const look = 'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md px-2 text-[13px]'
  return (
    <li className="flex min-w-0 items-center">
      {turn > 1 && <ChevronRight size={14} aria-hidden className="shrink-0 text-muted" />}
      {run ? (
        <Link
          to={keepView(query, run.runId)}
          title={prompt.slice(0, 500)}
          aria-current={isShown ? 'step' : undefined}
          className={classes(look, isShown ? 'bg-accent-soft font-medium text-accent-ink' : 'hover:bg-hover')}
        >
          {label}
        </Link>
      ) : (
        <span className={classes(look, 'text-muted')} title="This run was deleted">
          {label}
        </span>
      )}
      {versions.length > 1 && (
        <Menu
          align="start"
          trigger={
            <Button kind="quiet" className="h-7! px-1.5! text-xs" aria-label={`Versions of turn ${turn}`}>
              {formatCount(versions.length, 'version')}
            </Button>
          }
        >
          {versions.map((version) => (
            <MenuItem key={version.runId} onSelect={() => navigate(keepView(query, version.runId))}>
              <span className="min-w-0 flex-1 truncate">{excerpt(version.prompt, 40)}</span>
              <span className="text-xs text-muted">{formatLocalTime(version.startedAt)}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </li>
  )
}

interface TurnsProps {
  view: Pick<ArenaRun, 'runId' | 'state'>
  /** What to call a model: before a vote, its name is hidden. */
  nameOf: (modelId: string) => string
}

/** The turns of a conversation, to step between. Nothing for a run that was never continued. */
export function Turns({ view, nameOf }: TurnsProps) {
  const steps = useTurns(view)
  const [query, changeQuery] = useAddress()
  if (steps.length < 2) return null
  const shown = steps.find(({ isShown }) => isShown)
  const isComparing = query.get('turns') === 'compare'
  const gaps = listGapLines(shown?.run, nameOf)
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <nav aria-label="Turns" className="min-w-0">
          <ol className="flex flex-wrap items-center gap-y-1">
            {steps.map((step) => (
              <Step key={step.turn} step={step} />
            ))}
          </ol>
        </nav>
        <button
          type="button"
          aria-pressed={isComparing}
          onClick={() => changeQuery({ turns: isComparing ? '' : 'compare' })}
          className={buttonClass('quiet', classes('h-7! px-2!', isComparing && 'bg-accent-soft text-accent-ink'))}
        >
          <Columns2 size={14} aria-hidden />
          Compare turns
        </button>
      </div>
      {gaps.length > 0 && (
        <ul aria-label="What was not sent again" className="text-xs text-muted">
          {gaps.map((gap) => (
            <li key={gap} className="break-words">
              {gap}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
