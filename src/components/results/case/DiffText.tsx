import { useEffect, useState } from 'react'
import type { TextDiff } from './word-diff.ts'

interface DiffTextProps {
  expected: string | undefined
  answer: string
  /** Only the beginning of the answer is here. */
  isCut: boolean
}

/** The difference, computed after the page has been drawn, by code that loads when it is first wanted. */
function useDiff(expected: string | undefined, answer: string): TextDiff | undefined {
  const [made, setMade] = useState<{ expected: string; answer: string; diff: TextDiff }>()
  useEffect(() => {
    if (expected === undefined) return undefined
    let isWanted = true
    const timer = window.setTimeout(async () => {
      const { diffTexts } = await import('./word-diff.ts')
      if (isWanted) setMade({ expected, answer, diff: diffTexts(expected, answer) })
    }, 0)
    return () => {
      isWanted = false
      window.clearTimeout(timer)
    }
  }, [expected, answer])
  return made?.expected === expected && made?.answer === answer ? made.diff : undefined
}

const words: Partial<Record<TextDiff['kind'], string>> = {
  same: 'The answer is exactly what was expected.',
  'too-long': 'These texts are too long to compare here.',
  'too-different': 'These texts have too little in common to mark differences.',
}

/** What was expected but is missing, and what was not expected: struck through and underlined, not by colour alone. */
export function DiffText({ expected, answer, isCut }: DiffTextProps) {
  const diff = useDiff(expected, answer)
  if (expected === undefined)
    return <p className="px-3 py-2 text-muted">This case has no expected output to compare with.</p>
  if (!diff) return <p className="px-3 py-2 text-muted">Comparing …</p>
  if (!('parts' in diff))
    return (
      <div>
        <p className="px-3 pt-2 text-muted">{words[diff.kind]}</p>
        <pre
          tabIndex={0}
          role="group"
          aria-label="Answer"
          className="max-h-80 overflow-auto px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
        >
          {answer}
        </pre>
      </div>
    )
  return (
    <div>
      <p className="px-3 pt-2 text-xs text-muted">
        <del className="bg-removed text-ink">expected, missing</del>{' '}
        <ins className="bg-added text-ink">answered, not expected</ins>
        {diff.kind === 'lines' && ' · by lines, because the texts are long'}
        {isCut && ' · only the beginning of the answer is compared'}
      </p>
      <pre
        tabIndex={0}
        role="group"
        aria-label="Difference to the expected output"
        className="max-h-[36rem] overflow-auto px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
      >
        {diff.parts.map(({ kind, text }, index) => {
          const Mark = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <Mark key={index} className={kind === 'added' ? 'bg-added' : kind === 'removed' ? 'bg-removed' : ''}>
              {text}
            </Mark>
          )
        })}
      </pre>
    </div>
  )
}
