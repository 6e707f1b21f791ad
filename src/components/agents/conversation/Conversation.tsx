import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  findRowOfLoss,
  listAgentsAbove,
  listConversation,
  type ConversationRow,
} from '../../../report/model/conversation.ts'
import type { RecordedRun } from '../../../server/trajectories/routes.ts'
import { usePageKeys } from '../../ui/keys.ts'
import { ConversationItem } from './ConversationItem.tsx'
import { FindField } from './FindField.tsx'
import { GradeAside } from './GradeAside.tsx'
import { GradeChips } from './GradeChips.tsx'
import type { GradeLinks } from './grade-links.ts'
import { useFind } from './use-find.ts'
import { Button } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'

interface ConversationProps extends Pick<RecordedRun, 'trajectory'> {
  grade?: RecordedRun['grade']
  claims?: RecordedRun['claims']
  /** The address of the step in question, which the page keeps. */
  step: string | undefined
  onStep: (step: string) => void
}

const NO_CLAIMS: RecordedRun['claims'] = []

const FOLDED = 46
const LINE = 20
/** As many characters as a line of a message has, and as are shown of a long one. */
const LINE_LENGTH = 80
const SHOWN_LENGTH = 3000

/** How tall a row is until it has been measured: the nearer, the less the page jumps. */
function estimateHeight(row: ConversationRow, isOpen: boolean): number {
  if (row.kind !== 'message') return isOpen ? 320 : FOLDED
  const { text, source, isInjected, reasoning } = row.message
  const shown = text.slice(0, source === 'system' || isInjected ? 400 : SHOWN_LENGTH)
  const lines = shown.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0)
  return 34 + LINE * (text === '' ? 0 : lines) + (reasoning === undefined ? 0 : LINE)
}

/** A recorded run as a page: turns, calls and sub-agents, with time and cost along the side, and what was graded. */
export function Conversation({ trajectory, grade = null, claims = NO_CLAIMS, step, onStep }: ConversationProps) {
  const [openAgents, setOpenAgents] = useState<ReadonlySet<string>>(() => new Set(step ? listAgentsAbove(step) : []))
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [isExpanded, setExpanded] = useState(false)
  const rows = useMemo(
    () => listConversation({ trajectory, claims, open: openAgents }),
    [trajectory, claims, openAgents],
  )
  const find = useFind(rows)
  const lost = useMemo(() => {
    const found = new Set<string>()
    for (const loss of grade?.losses ?? []) {
      const row = findRowOfLoss(rows, loss)
      if (row) found.add(row.id)
    }
    return found
  }, [rows, grade])

  const isOpen = (row: ConversationRow): boolean =>
    row.kind === 'call' && (row.isError || isExpanded || row.id === find.current) !== toggled.has(row.id)

  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [grade])
  // oxlint-disable-next-line react/incompatible-library
  const shown = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => estimateHeight(rows[index]!, isOpen(rows[index]!)),
    getItemKey: (index) => `${rows[index]!.kind} ${rows[index]!.id}`,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 72,
  })

  const at = rows.findIndex((row) => row.id === step)
  const goTo = (row: ConversationRow | undefined) => {
    if (!row) return
    onStep(row.id)
    shown.scrollToIndex(rows.indexOf(row), { align: 'center' })
  }
  const goToId = (id: string) => {
    const above = listAgentsAbove(id)
    if (above.some((agent) => !openAgents.has(agent))) setOpenAgents(new Set([...openAgents, ...above]))
    onStep(id)
  }
  // The address can be of a step far down: it is shown once its place is known.
  const isPlaced = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (step === undefined || at < 0 || isPlaced.current === step || top === 0) return
    isPlaced.current = step
    const items = shown.getVirtualItems()
    const isInSight = items.some(
      ({ index, start }) => index === at && start > window.scrollY && start < window.scrollY + window.innerHeight - 80,
    )
    if (!isInSight) shown.scrollToIndex(at, { align: 'center' })
  }, [step, at, top, shown])

  const toggle = (row: ConversationRow) => {
    const change = (set: ReadonlySet<string>) => {
      const next = new Set(set)
      if (!next.delete(row.id)) next.add(row.id)
      return next
    }
    if (row.kind === 'agent') setOpenAgents(change(openAgents))
    else setToggled(change(toggled))
  }
  const errors = rows.flatMap((row, index) => (row.kind === 'call' && row.isError ? [index] : []))

  const links: GradeLinks | undefined = grade
    ? {
        grade,
        onLoss: (loss) => goTo(findRowOfLoss(rows, loss)),
        labelOf: (loss) => findRowOfLoss(rows, loss)?.id,
      }
    : undefined

  usePageKeys((key) => {
    if (key === 'j' || key === 'k') {
      const next = at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + (key === 'j' ? 1 : -1)))
      goTo(rows[next])
    } else if (key === 'e') goTo(rows[errors.find((index) => index > at) ?? errors[0] ?? -1])
    else if (key === 'o' && rows[at]) toggle(rows[at])
    else if (key === 'n' && find.count > 0) goTo(find.move(1))
    else return false
    return true
  })

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="sticky top-0 z-10 -mx-1 flex flex-wrap items-center gap-2 bg-canvas px-1 py-2 max-md:static">
        {links && <GradeChips {...links} />}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Button
            kind="quiet"
            aria-pressed={isExpanded}
            onClick={() => {
              setToggled(new Set())
              setExpanded(!isExpanded)
            }}
          >
            {isExpanded ? 'Fold calls' : 'Expand calls'}
          </Button>
          <FindField find={find} onGo={goTo} />
        </div>
      </div>
      <div className={grade ? 'grid min-w-0 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_360px]' : 'min-w-0'}>
        {links && <GradeAside {...links} />}
        <div className="min-w-0 xl:order-first">
          <ol
            ref={list}
            aria-label={`Conversation, ${formatCount(rows.length, 'step')}`}
            className="relative"
            style={{ height: shown.getTotalSize() }}
          >
            {shown.getVirtualItems().map(({ index, start, key }) => {
              const row = rows[index]!
              return (
                <li
                  key={key}
                  ref={shown.measureElement}
                  data-index={index}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  {...(row.id === step && { 'aria-current': 'step' as const })}
                  className="absolute top-0 left-0 w-full"
                  style={{ transform: `translateY(${start - top}px)` }}
                >
                  <ConversationItem
                    row={row}
                    model={trajectory.model}
                    isCurrent={row.id === step}
                    isLast={index === rows.length - 1}
                    isLost={lost.has(row.id)}
                    isOpen={isOpen(row)}
                    find={find.text}
                    onToggle={() => toggle(row)}
                    onChoose={() => goToId(row.id)}
                  />
                </li>
              )
            })}
          </ol>
          <p className="flex flex-wrap gap-x-4 gap-y-1 pt-2 pl-0 text-xs text-muted md:pl-[140px]">
            <span>
              <Key>j</Key> <Key>k</Key> step
            </span>
            <span>
              <Key>o</Key> open call
            </span>
            <span>
              <Key>e</Key> next error{errors.length > 0 && ` of ${formatCount(errors.length)}`}
            </span>
            <span>
              <Key>/</Key> find
            </span>
          </p>
        </div>
      </div>
    </div>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded border border-line bg-surface px-1 text-center font-sans text-[11px]">
      {children}
    </kbd>
  )
}
