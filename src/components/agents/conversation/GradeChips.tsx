import { Check, Flag, X } from 'lucide-react'
import { formatScore } from '../../../report/words/index.ts'
import { nameMainCause } from '../../../report/words/tool-calls/trajectory-faults.ts'
import { gradeWords } from '../../../report/words/tool-calls/trajectory-grades.ts'
import { classes } from '../../ui/classes.ts'
import type { Grade, GradeLinks } from './grade-links.ts'

interface Part {
  name: string
  done: number
  of: number
}

function listParts({ actions, said, forbidden, losses }: Grade): Part[] {
  const unmet = losses.filter(({ kind }) => kind === 'end state').length
  return [
    { name: 'Calls', done: actions.filter(({ score }) => score >= 1 - 1e-9).length, of: actions.length },
    { name: 'Said', done: said.filter(({ isSaid }) => isSaid).length, of: said.length },
    { name: 'End state', done: 0, of: unmet },
    { name: 'Forbidden calls', done: 0, of: forbidden.length },
  ].filter(({ of }) => of > 0)
}

export function GradeChips({ grade, onLoss, labelOf }: GradeLinks) {
  const { score, passed, losses } = grade
  const [first] = losses
  const label = first && labelOf(first)
  return (
    <>
      <Chip isMet={passed === true} isOpen={passed === null}>
        {passed === null ? gradeWords.unscored : passed ? gradeWords.passed : gradeWords.failed}
        {score !== null && <b className="tabular-nums">{formatScore(score)}</b>}
      </Chip>
      {listParts(grade).map(({ name, done, of }) => (
        <Chip key={name} isMet={done === of}>
          {name}{' '}
          <b className="tabular-nums">
            {name === 'Forbidden calls' ? of : name === 'End state' ? `${of} differ` : `${done} of ${of}`}
          </b>
        </Chip>
      ))}
      {(passed === false || grade.fault) && (
        <span className="inline-flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-3 text-[13px]">
          <Flag size={14} aria-hidden /> Whose fault: <b>{nameMainCause(grade)}</b>
        </span>
      )}
      {first && (
        <button type="button" className="text-[13px] text-accent-ink hover:underline" onClick={() => onLoss(first)}>
          First lost credit: {label === undefined ? `turn ${first.turn + 1}` : `step ${label}`} ↓
        </button>
      )}
    </>
  )
}

function Chip({ isMet, isOpen = false, children }: { isMet: boolean; isOpen?: boolean; children: React.ReactNode }) {
  const Icon = isMet ? Check : X
  return (
    <span
      className={classes(
        'inline-flex h-8 items-center gap-2 rounded-md border px-3 text-[13px] whitespace-nowrap',
        isMet || isOpen ? 'border-line bg-surface' : 'border-warning/40 bg-warning-soft text-warning',
      )}
    >
      {!isOpen && <Icon size={14} aria-hidden className={isMet ? 'text-accent' : ''} />}
      {children}
    </span>
  )
}
