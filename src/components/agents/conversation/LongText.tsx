import { useState } from 'react'
import { formatCount } from '../../../report/words/index.ts'

/** Longer texts are cut until they are asked for: a tool’s reply can be a whole database. */
const SHOWN = 3000
const MOST_MARKS = 200

/** A text in which the words looked for are marked. */
export function FoundText({ text, find }: { text: string; find: string }) {
  if (find === '') return text
  const lower = text.toLowerCase()
  // Lower case can be longer than the text: then places would not fit.
  if (lower.length !== text.length || !lower.includes(find)) return text
  const parts: { at: number; text: string; isFound: boolean }[] = []
  let from = 0
  for (let at = lower.indexOf(find); at >= 0 && parts.length < MOST_MARKS; at = lower.indexOf(find, from)) {
    if (at > from) parts.push({ at: from, text: text.slice(from, at), isFound: false })
    parts.push({ at, text: text.slice(at, at + find.length), isFound: true })
    from = at + find.length
  }
  parts.push({ at: from, text: text.slice(from), isFound: false })
  return parts.map((part) =>
    part.isFound ? (
      <mark key={part.at} className="rounded-sm bg-warning-soft text-ink ring-1 ring-warning/40">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}

export function LongText({
  text,
  find,
  shortest = SHOWN,
}: {
  text: string
  find: string
  shortest?: number | undefined
}) {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > shortest && !(find !== '' && text.toLowerCase().includes(find))
  return (
    <div className="break-words whitespace-pre-wrap">
      <FoundText text={isCut ? text.slice(0, shortest) : text} find={find} />
      {isCut && (
        <>
          …{' '}
          <button type="button" className="text-accent-ink underline" onClick={() => setWhole(true)}>
            Show all {formatCount(text.length, 'character')}
          </button>
        </>
      )}
    </div>
  )
}
