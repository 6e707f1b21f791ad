import { Search } from 'lucide-react'
import type { ConversationRow } from '../../../report/model/conversation.ts'
import type { Find } from './use-find.ts'

/** Enter goes to the next place, Shift+Enter to the one before. */
export function FindField({ find, onGo }: { find: Find; onGo: (row: ConversationRow | undefined) => void }) {
  return (
    <div className="relative flex items-center">
      <Search size={14} aria-hidden className="pointer-events-none absolute left-2 text-muted" />
      <input
        type="search"
        aria-label="Find in the conversation"
        placeholder="Find"
        className="h-8 w-44 rounded-md border border-line-strong/60 bg-surface pr-2 pl-7 text-[13px]"
        onChange={(event) => find.search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onGo(find.move(event.shiftKey ? -1 : 1))
        }}
      />
      <span role="status" className="ml-2 min-w-12 text-xs text-muted tabular-nums">
        {find.text !== '' && (find.position > 0 ? `${find.position} of ${find.count}` : `${find.count} found`)}
      </span>
    </div>
  )
}
