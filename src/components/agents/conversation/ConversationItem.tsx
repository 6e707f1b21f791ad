import { Bot, Flag, TriangleAlert, User, Users, Wrench, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AgentRow, ConversationRow, MessageRow } from '../../../report/model/conversation.ts'
import { formatCost, formatCount, formatOffset } from '../../../report/words/index.ts'
import { shortenModel } from '../../../report/words/tool-calls/trajectory-words.ts'
import { classes } from '../../ui/classes.ts'
import { CallCard } from './CallCard.tsx'
import { FoundText, LongText } from './LongText.tsx'

interface ItemProps {
  row: ConversationRow
  model: string | null
  isCurrent: boolean
  isLast: boolean
  /** Credit was lost here. */
  isLost: boolean
  isOpen: boolean
  find: string
  onToggle: () => void
  onChoose: () => void
}

function Side({ row, onChoose, isCurrent }: Pick<ItemProps, 'row' | 'onChoose' | 'isCurrent'>) {
  const message = row.kind === 'message' ? row.message : undefined
  return (
    <div className="text-xs leading-4 text-muted tabular-nums max-md:flex max-md:flex-wrap max-md:gap-x-2 max-md:pb-1 md:pt-1.5 md:text-right">
      {row.at !== null && <span className="font-medium text-ink md:block">{formatOffset(row.at)}</span>}
      {message?.cost !== undefined && <span className="md:block">{formatCost(message.cost)}</span>}
      {message?.outputTokens !== undefined && (
        <span className="md:block">
          {formatCount(message.outputTokens)} tok
          <span
            aria-hidden
            className="mt-1 ml-auto hidden h-[3px] rounded-full bg-accent/40 md:block"
            style={{ width: Math.max(2, Math.min(72, Math.sqrt(message.outputTokens) * 1.6)) }}
          />
        </span>
      )}
      {row.number > 0 && (
        <button
          type="button"
          aria-label={`Step ${row.id}`}
          onClick={onChoose}
          className={classes('hover:underline md:mt-0.5', isCurrent ? 'font-medium text-accent-ink' : 'text-muted')}
        >
          {row.number}
        </button>
      )}
    </div>
  )
}

function RowIcon({ row }: { row: ConversationRow }) {
  const shape = { size: 14, 'aria-hidden': true } as const
  if (row.kind === 'call') return <Wrench {...shape} />
  if (row.kind === 'agent') return <Users {...shape} />
  if (row.message.source === 'user') return <User {...shape} />
  return row.message.source === 'agent' ? <Bot {...shape} /> : <Settings2 {...shape} />
}

function colourOf(row: ConversationRow, isLost: boolean): string {
  if (row.kind === 'call' && row.isError) return 'border-transparent bg-danger-soft text-danger'
  if (isLost) return 'border-transparent bg-warning-soft text-warning'
  if (row.kind === 'message' && row.message.source === 'agent')
    return 'border-transparent bg-accent-soft text-accent-ink'
  return 'border-line bg-surface text-muted'
}

/** One step: when and what it cost, who, and what was said or called. */
export function ConversationItem({
  row,
  model,
  isCurrent,
  isLast,
  isLost,
  isOpen,
  find,
  onToggle,
  onChoose,
}: ItemProps) {
  return (
    <div
      className={classes(
        'grid gap-x-3 rounded-md pb-3 max-md:grid-cols-[24px_minmax(0,1fr)] md:grid-cols-[92px_24px_minmax(0,1fr)]',
        isCurrent && 'bg-accent-soft/50 shadow-[inset_2px_0_0_var(--accent)]',
      )}
      style={{ paddingLeft: row.depth * 24 }}
    >
      <div className="max-md:order-last max-md:col-start-2">
        <Side row={row} onChoose={onChoose} isCurrent={isCurrent} />
      </div>
      <div className="relative">
        {!isLast && <span aria-hidden className="absolute top-7 -bottom-3 left-[11.5px] w-px bg-line" />}
        <span
          className={classes(
            'relative mt-0.5 grid size-6 place-items-center rounded-full border',
            colourOf(row, isLost),
          )}
        >
          <RowIcon row={row} />
        </span>
      </div>
      <div className="min-w-0 pr-2">
        {row.kind === 'call' ? (
          <CallCard row={row} isOpen={isOpen} isLost={isLost} find={find} onToggle={onToggle} />
        ) : row.kind === 'agent' ? (
          <AgentHead row={row} onToggle={onToggle} />
        ) : (
          <Message row={row} model={model} find={find} />
        )}
        {isLost && <Note icon={<Flag size={14} aria-hidden />}>Credit was lost here</Note>}
      </div>
    </div>
  )
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="mt-1 flex items-center gap-1.5 text-xs text-warning">
      {icon}
      <span>{children}</span>
    </p>
  )
}

const names = { user: 'User', system: 'System' }

function Message({ row, model, find }: { row: MessageRow; model: string | null; find: string }) {
  const { message, claims, observations } = row
  const { source, text, reasoning, isInjected } = message
  const name = source === 'agent' ? shortenModel(message.model ?? model ?? 'agent') : names[source]
  return (
    <>
      <p className="mt-0.5 text-xs leading-4 text-muted">
        <b className="text-[13px] font-semibold text-ink">{name}</b>
        {isInjected && ' · written by the program'}
      </p>
      {reasoning !== undefined && (
        <details
          className="mt-0.5 max-w-[72ch] text-[13px] text-muted"
          open={find !== '' && reasoning.toLowerCase().includes(find)}
        >
          <summary className="text-xs">Reasoning</summary>
          <LongText text={reasoning} find={find} />
        </details>
      )}
      {text !== '' && (
        <div className={classes('max-w-[72ch]', (isInjected || source === 'system') && 'text-[13px] text-muted')}>
          <LongText text={text} find={find} shortest={isInjected || source === 'system' ? 400 : undefined} />
        </div>
      )}
      {observations.map((observation, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="mt-1 rounded-md bg-sunken px-3 py-2 font-mono text-xs break-words"
        >
          <LongText text={observation} find={find} />
        </div>
      ))}
      {claims.map(({ text: claim }) => (
        <Note key={claim} icon={<TriangleAlert size={14} aria-hidden />}>
          Claims an action that was never called: “<FoundText text={claim} find={find} />”
        </Note>
      ))}
    </>
  )
}

function AgentHead({ row: { agent, isOpen }, onToggle }: { row: AgentRow; onToggle: () => void }) {
  const calls = agent.steps.reduce((sum, { calls: own }) => sum + own.length, 0)
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-8 w-full flex-wrap items-center gap-x-2 rounded-md border border-dashed border-line-strong/60 bg-surface px-3 py-1 text-left text-[13px] hover:bg-hover"
    >
      <span className="font-medium">Sub-agent</span>
      <span className="min-w-0 font-mono text-xs break-all text-muted">{agent.id}</span>
      <span className="ml-auto text-xs text-muted">
        {agent.model === null ? '' : `${shortenModel(agent.model)} · `}
        {formatCount(calls, 'call')}
        {agent.errors !== null && agent.errors > 0 && ` · ${formatCount(agent.errors, 'error')}`}
        {isOpen ? ' · fold' : ' · unfold'}
      </span>
    </button>
  )
}
