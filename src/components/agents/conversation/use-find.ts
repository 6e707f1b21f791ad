import { useDeferredValue, useMemo, useState } from 'react'
import { textOfRow, type ConversationRow } from '../../../report/model/conversation.ts'

/** A search through all steps, folded ones too. */
export interface Find {
  text: string
  count: number
  /** Position among the rows found, from 1; 0 before the first. */
  position: number
  /** The address of the row found last. */
  current: string | undefined
  search: (text: string) => void
  move: (by: 1 | -1) => ConversationRow | undefined
}

const SHORTEST = 2

export function useFind(rows: readonly ConversationRow[]): Find {
  const [text, setText] = useState('')
  const [place, setPlace] = useState(-1)
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const found = useMemo(
    () => (wanted.length < SHORTEST ? [] : rows.filter((row) => textOfRow(row).toLowerCase().includes(wanted))),
    [rows, wanted],
  )
  return {
    text: wanted.length < SHORTEST ? '' : wanted,
    count: found.length,
    position: place < 0 ? 0 : Math.min(place + 1, found.length),
    current: found[place]?.id,
    search: (next) => {
      setText(next)
      setPlace(-1)
    },
    move: (by) => {
      if (found.length === 0) return undefined
      const next = place < 0 ? (by > 0 ? 0 : found.length - 1) : (place + by + found.length) % found.length
      setPlace(next)
      return found[next]
    },
  }
}
