import type { CaseRow } from '../../../server/results/cases/case-page.ts'
import type { CaseCell } from '../../../server/results/cases/case-table.ts'
import { TriangleAlert, UserRound } from 'lucide-react'
import { memo, type MouseEvent } from 'react'
import type { LiveCell } from '../../../contract/index.ts'
import { describeLiveState } from '../../../report/words/runs/outcomes.ts'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import { useLiveCell } from '../../arena/live/use-live-run.ts'
import { Link } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import {
  cellMark,
  describeInterval,
  formatScore,
  formatWholeScore,
  passMark,
  passWords,
} from '../../../report/words/index.ts'
import { failureFill, failureLevel } from '../../ui/charts/failure-colour.ts'
import type { GridPlace } from './page-window.ts'

export const ROW_HEIGHT = 36

interface CaseGridRowProps {
  height: number
  index: number
  /** Absent until its page is loaded. */
  row?: CaseRow
  /** The models of the row's cells, since their order can change during a run. */
  cellModels?: string[]
  models: string[]
  template: string
  top: number
  /** Of a run in progress. */
  live: LiveRunStore | undefined
  /** The column with the keyboard focus, if it is in this row. */
  activeColumn: number | undefined
  /** Its case is open beside the grid. */
  isOpen: boolean
  addressOf: (id: string, model?: string) => string
  onOpen: (place: GridPlace) => void
}

function cellLabel(model: string, cell: CaseCell): string {
  const parts = [
    cell.score === undefined ? undefined : formatScore(cell.score),
    passWords(cell),
    cell.spread && `${describeInterval(cell.spread)} over runs`,
    cellMark(cell),
    cell.isRated && 'rated by a person',
  ]
  return `${model}: ${parts.filter(Boolean).join(', ')}`
}

function hasVaried({ spread }: CaseCell): boolean {
  return spread !== undefined && spread[1] - spread[0] > 1e-9
}

/** A score, quiet if everything passed; a flaky cell says in how many runs it passed. */
function Score({ cell }: { cell: CaseCell }) {
  const { state, score, passed = 0, scored = 0, isRated } = cell
  const mark = cellMark(cell)
  const isFlaky = passed > 0 && passed < scored
  return (
    <>
      {isRated && <UserRound size={12} aria-hidden className="shrink-0" />}
      {state === 'error' && <TriangleAlert size={12} aria-hidden className="shrink-0" />}
      {mark !== undefined && <span className="min-w-0 truncate text-xs">{mark}</span>}
      {score !== undefined && (
        <>
          {(isFlaky || (isFailed(cell) && hasVaried(cell))) && (
            <span className="text-[11px] font-normal" aria-hidden>
              {passMark(cell)}
            </span>
          )}
          <span>{formatWholeScore(score)}</span>
        </>
      )}
    </>
  )
}

/** Not every answer passed. */
function isFailed({ passed = 0, scored = 0 }: CaseCell): boolean {
  return passed < scored
}

function cellColours(cell: CaseCell, isAnswer: boolean): string {
  if (cell.state === 'error') return 'text-danger'
  if (cell.score === undefined || !isFailed(cell)) return 'text-muted'
  return classes('font-semibold text-fail-ink', isAnswer ? 'bg-fail-1' : failureFill[failureLevel(cell.score)])
}

/** In one line; in colour, with the score as a bar, only if it failed. */
function Answer({ cell, text }: { cell: CaseCell; text: string | null | undefined }) {
  const isOff = cell.score !== undefined && isFailed(cell)
  const isFlaky = (cell.passed ?? 0) > 0 && isOff
  if (cell.score === undefined || typeof text !== 'string') return <Score cell={cell} />
  return (
    <>
      {isOff && (
        <span aria-hidden className={classes('absolute inset-y-0 left-0 w-1', failureFill[failureLevel(cell.score)])} />
      )}
      <span className="min-w-0 truncate font-mono text-xs font-normal">{text === '' ? '(empty)' : text}</span>
      {isFlaky && <span className="shrink-0 text-[11px] font-normal">{passMark(cell)}</span>}
    </>
  )
}

/** The end of an answer as it arrives, or what its request is doing. */
function RunningAnswer({ cell: { step, tail, ...cell } }: { cell: LiveCell }) {
  if (tail === undefined || tail === '' || step === 'sent')
    return <span className="min-w-0 truncate text-xs">{describeLiveState({ ...cell, ...(step && { step }) })}</span>
  return (
    <span className="flex min-w-0 flex-1 justify-end overflow-hidden font-mono text-xs font-normal whitespace-pre">
      <span>{tail.slice(-60).replaceAll(/\s+/g, ' ')}</span>
    </span>
  )
}

/** A score that the stored results do not have yet; a cell of several runs gets its mean with them. */
function addScore(stored: CaseCell, live: LiveCell | undefined): CaseCell {
  if (!live || live.state === 'running' || stored.state !== 'pending') return stored
  const { state, score, hasPassed, outcome } = live
  return {
    state,
    ...(outcome && { outcome }),
    ...(score !== undefined && { score, passed: hasPassed ? 1 : 0, scored: 1 }),
  }
}

interface ModelCellProps {
  id: string
  column: number
  caseId: string
  model: string
  stored: CaseCell | undefined
  /** In the grid of answers; null without one. */
  answer?: string | null
  live: LiveRunStore | undefined
  isActive: boolean
  address: string
  onOpen: (event: MouseEvent) => void
}

/** One case for one model; while it runs, its answer as it arrives. */
function ModelCell({ id, column, caseId, model, stored, answer, live, isActive, address, onOpen }: ModelCellProps) {
  const now = useLiveCell(live, caseId, model)
  const running = now?.state === 'running' ? now : undefined
  const cell = stored && addScore(stored, now)
  const isAnswer = answer !== undefined
  return (
    <div
      role="gridcell"
      id={id}
      aria-colindex={column}
      {...(now?.message !== undefined && { title: describeLiveState(now) })}
      className={classes(
        'relative min-w-0 border-r border-surface',
        running ? 'text-muted' : cell && cellColours(cell, isAnswer),
        isActive && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      {cell && (
        <Link
          to={address}
          tabIndex={-1}
          onClick={onOpen}
          aria-label={running ? `${model}: ${describeLiveState(running)}` : cellLabel(model, cell)}
          className={classes(
            'flex h-full min-w-0 items-center gap-1.5 px-2.5 tabular-nums hover:underline',
            !isAnswer && 'justify-end',
          )}
        >
          {running ? (
            <RunningAnswer cell={running} />
          ) : isAnswer ? (
            <Answer cell={cell} text={answer} />
          ) : (
            <Score cell={cell} />
          )}
        </Link>
      )}
    </div>
  )
}

function CaseGridRowContent({
  height,
  index,
  row,
  cellModels,
  models,
  template,
  top,
  live,
  activeColumn,
  isOpen,
  addressOf,
  onOpen,
}: CaseGridRowProps) {
  const open = (event: MouseEvent, column: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen({ row: index, column })
  }
  const layout = { gridTemplateColumns: template, height, top }
  if (!row)
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        className="absolute left-0 grid w-full border-b border-line"
        style={layout}
      >
        <div
          role="rowheader"
          className="sticky left-0 z-2 flex items-center border-r border-line bg-surface px-3 text-xs text-muted"
        >
          Loading…
        </div>
      </div>
    )
  const { answers } = row
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      className={classes(
        'group absolute left-0 grid w-full border-b border-line [contain:layout_style]',
        isOpen && 'z-1 outline-2 -outline-offset-1 outline-accent',
      )}
      style={layout}
    >
      <div
        role="rowheader"
        className={classes(
          '@container sticky left-0 z-2 flex min-w-0 items-center gap-2 border-r border-line px-3',
          isOpen ? 'bg-accent-soft' : 'bg-surface group-hover:bg-hover',
        )}
      >
        <Link
          to={addressOf(row.id)}
          tabIndex={-1}
          onClick={(event) => open(event, 0)}
          className="flex min-w-0 flex-1 items-baseline gap-2"
          title={`${row.id}: ${row.title}`}
        >
          <CutName name={row.id} className="max-w-full shrink-0 font-medium" />
          {row.title !== row.id && <span className="min-w-0 truncate text-muted @max-[11rem]:hidden">{row.title}</span>}
        </Link>
      </div>
      {answers && (
        <div
          role="gridcell"
          aria-colindex={2}
          className="flex min-w-0 items-center border-r border-line bg-sunken px-2"
        >
          <span className="min-w-0 truncate font-mono text-xs" title={row.expected}>
            {row.expected ?? '–'}
          </span>
        </div>
      )}
      {models.map((model, column) => {
        const place = cellModels?.[column] === model ? column : (cellModels?.indexOf(model) ?? -1)
        const cell = row.cells[place]
        return (
          <ModelCell
            key={model}
            id={`cell-${index}-${column}`}
            column={column + (answers ? 3 : 2)}
            caseId={row.id}
            model={model}
            stored={cell}
            {...(answers && { answer: answers[place] ?? null })}
            live={live}
            isActive={activeColumn === column}
            address={addressOf(row.id, model)}
            onOpen={(event) => open(event, column)}
          />
        )
      })}
      {!answers && (
        <div
          role="gridcell"
          aria-colindex={models.length + 2}
          className="flex items-center justify-end px-3 font-medium tabular-nums"
        >
          {row.mean === undefined ? '–' : formatWholeScore(row.mean)}
        </div>
      )}
    </div>
  )
}

/** One case for all models. Memoised, so that visible rows do not re-render while scrolling. */
export const CaseGridRow = memo(CaseGridRowContent)
