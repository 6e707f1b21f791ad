import type { TextDiff } from '../case/word-diff.ts'
import { useDiff } from '../case/DiffText.tsx'
import { splitDiff } from './split-diff.ts'

/** A text in which what the other one does not have is marked, by underline as well as by colour. */
export function MarkedText({
  label,
  text,
  diff,
  side,
}: {
  label: string
  text: string
  diff: TextDiff | undefined
  side: 'a' | 'b'
}) {
  const Mark = side === 'a' ? 'del' : 'ins'
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-[36rem] min-w-0 overflow-auto px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
    >
      {diff && 'parts' in diff
        ? splitDiff(diff)[side].map((part, index) =>
            part.isOwn ? (
              // oxlint-disable-next-line react/no-array-index-key
              <Mark key={index} className={side === 'a' ? 'bg-removed no-underline' : 'bg-added'}>
                {part.text}
              </Mark>
            ) : (
              part.text
            ),
          )
        : text}
    </pre>
  )
}

const messages: Partial<Record<TextDiff['kind'], string>> = {
  same: 'Both answers are the same.',
  lines: 'Marked by line, because the texts are long.',
  'too-long': 'The texts are too long to mark their differences.',
  'too-different': 'The texts have too little in common to mark their differences.',
}

/** What a reader should know about the marks; undefined if they speak for themselves. */
export function describeDiff(diff: TextDiff | undefined): string | undefined {
  return diff && messages[diff.kind]
}

/** Two texts with their differences. */
export function SideBySide({ label, a, b }: { label: string; a: string; b: string }) {
  const diff = useDiff(a, b)
  return (
    <div className="grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x">
      <MarkedText label={`${label} in A`} text={a} diff={diff} side="a" />
      <MarkedText label={`${label} in B`} text={b} diff={diff} side="b" />
    </div>
  )
}
