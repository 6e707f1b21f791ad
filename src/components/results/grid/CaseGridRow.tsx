import type { CaseRow } from '../../../server/results/cases/case-page.ts'
import type { CaseCell } from '../../../server/results/cases/case-table.ts'
import { UserRound } from 'lucide-react'
import { memo, type CSSProperties } from 'react'
import { Link } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import {
  cellMark,
  describeInterval,
  formatScore,
  formatScoreTick,
  passMark,
  passWords,
} from '../../../report/words/index.ts'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { caseAddress } from '../addresses.ts'

export const ROW_HEIGHT = 32
/** Room for the score and the first lines of an answer. */
export const ANSWER_ROW_HEIGHT = 116

interface CaseGridRowProps {
  selection: string
  height: number
  index: number
  /** Absent until its page is loaded. */
  row?: CaseRow
  /** The models of the row's cells, since their order can change during a run. */
  cellModels?: string[]
  models: string[]
  template: string
  top: number
  /** The column with the keyboard focus, if it is in this row. */
  activeColumn: number | undefined
  onLeave: (row: number) => void
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

function Cell({ cell }: { cell: CaseCell }) {
  const mark = cellMark(cell)
  const doesVary = cell.spread !== undefined && cell.spread[1] - cell.spread[0] > 1e-9
  const spread = doesVary && `runs ${cell.spread?.map(formatScoreTick).join('–')}`
  return (
    <>
      {cell.isRated && <UserRound size={12} aria-hidden className="shrink-0" />}
      <span className={classes('min-w-0 flex-1 truncate text-[11px]', cell.state === 'error' && 'text-danger')}>
        {[mark, spread].filter(Boolean).join(' ')}
      </span>
      {cell.score !== undefined && <span className="font-medium">{formatScore(cell.score)}</span>}
      {cell.score !== undefined && (
        <span className="min-w-4 text-right text-xs font-bold" aria-hidden>
          {(isFailed(cell) || (cell.scored ?? 0) > 1) && passMark(cell)}
        </span>
      )}
    </>
  )
}

/** Not every answer passed. */
function isFailed({ passed = 0, scored = 0 }: CaseCell): boolean {
  return passed < scored
}

/** An edge besides the colour of the score: in one hue, a failed answer would look like a good one. */
function cellStyle(cell: CaseCell | undefined): CSSProperties {
  const style = scoreStyle(cell?.score)
  return cell && isFailed(cell) ? { ...style, boxShadow: 'inset 4px 0 0 var(--warning)' } : style
}

function CaseGridRowContent({
  selection,
  height,
  index,
  row,
  cellModels,
  models,
  template,
  top,
  activeColumn,
  onLeave,
}: CaseGridRowProps) {
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
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="group absolute left-0 grid w-full border-b border-line [contain:layout_style]"
      style={layout}
    >
      <div
        role="rowheader"
        className={classes(
          '@container sticky left-0 z-2 flex min-w-0 gap-2 border-r border-line bg-surface px-3 group-hover:bg-hover',
          row.answers ? 'flex-col gap-1 py-1.5' : 'items-center',
        )}
      >
        <Link
          to={caseAddress(selection, { id: row.id })}
          tabIndex={-1}
          onClick={() => onLeave(index)}
          className={classes('min-w-0 hover:underline', row.answers ? 'block' : 'flex flex-1 gap-1')}
          title={`${row.id}: ${row.title}`}
        >
          <CutName name={row.id} className="max-w-full shrink-0 font-medium" />
          {row.title !== row.id && (
            <span
              className={classes(
                'min-w-0 text-muted',
                row.answers ? 'line-clamp-3 text-xs break-words' : 'truncate @max-[11rem]:hidden',
              )}
            >
              {row.title}
            </span>
          )}
        </Link>
        {row.category !== undefined && (
          <span
            className={classes(
              'truncate text-xs text-muted max-sm:hidden',
              // In one narrow line, the id and the prompt need the room.
              !row.answers && 'max-w-24 @max-[15rem]:hidden',
            )}
          >
            {row.category}
          </span>
        )}
      </div>
      {models.map((model, column) => {
        const place = cellModels?.[column] === model ? column : (cellModels?.indexOf(model) ?? -1)
        const cell = row.cells[place]
        const answer = row.answers?.[place]
        return (
          <div
            key={model}
            role="gridcell"
            id={`cell-${index}-${column}`}
            aria-colindex={column + 2}
            className={classes('min-w-0', activeColumn === column && 'outline-2 -outline-offset-2 outline-accent')}
            style={cellStyle(cell)}
          >
            {cell && (
              <Link
                to={caseAddress(selection, { id: row.id, model })}
                tabIndex={-1}
                onClick={() => onLeave(index)}
                aria-label={cellLabel(model, cell)}
                className="flex h-full flex-col px-2 tabular-nums"
              >
                <span
                  className={classes(
                    'flex min-w-0 items-center gap-1.5 hover:underline',
                    row.answers ? 'h-7 shrink-0' : 'h-full',
                  )}
                >
                  <Cell cell={cell} />
                </span>
                {typeof answer === 'string' && (
                  <span className="line-clamp-4 pl-1 text-xs leading-5 break-words whitespace-pre-line">{answer}</span>
                )}
              </Link>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** One case for all models. Memoised, so that visible rows do not re-render while scrolling. */
export const CaseGridRow = memo(CaseGridRowContent)
