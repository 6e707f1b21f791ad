import { useEffect, useState } from 'react'
import type { TextDiff } from './word-diff.ts'

interface DiffTextProps {
  expected: string | undefined
  answer: string
  /** Only the start of the answer is loaded. */
  isCut: boolean
  /** For texts other than an expected output and an answer. */
  words?: DiffWords
}

interface DiffWords {
  removed: string
  added: string
  same: string
  label: string
}

const EXPECTED_WORDS: DiffWords = {
  removed: 'expected but missing',
  added: 'not expected',
  same: 'The answer matches the expected output exactly.',
  label: 'Difference from the expected output',
}

/** Computes the diff after the page has rendered; its code is loaded on first use. */
export function useDiff(expected: string | undefined, answer: string): TextDiff | undefined {
  const [result, setResult] = useState<{ expected: string; answer: string; diff: TextDiff }>()
  useEffect(() => {
    if (expected === undefined) return undefined
    let isCurrent = true
    const timer = window.setTimeout(async () => {
      const { diffTexts } = await import('./word-diff.ts')
      if (isCurrent) setResult({ expected, answer, diff: diffTexts(expected, answer) })
    }, 0)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
    }
  }, [expected, answer])
  return result?.expected === expected && result?.answer === answer ? result.diff : undefined
}

const messages: Partial<Record<TextDiff['kind'], string>> = {
  'too-long': 'These texts are too long to compare here.',
  'too-different': 'These texts have too little in common to show the differences.',
}

/** Marks missing and unexpected text, by strikethrough and underline as well as by colour. */
export function DiffText({ expected, answer, isCut, words = EXPECTED_WORDS }: DiffTextProps) {
  const diff = useDiff(expected, answer)
  if (expected === undefined) return <p className="px-3 py-2 text-muted">This case has no expected output.</p>
  if (!diff) return <p className="px-3 py-2 text-muted">Comparing…</p>
  if (!('parts' in diff))
    return (
      <div>
        <p className="px-3 pt-2 text-muted">{diff.kind === 'same' ? words.same : messages[diff.kind]}</p>
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
        <del className="bg-removed text-ink">{words.removed}</del>{' '}
        <ins className="bg-added text-ink">{words.added}</ins>
        {diff.kind === 'lines' && ' · compared by line, because the texts are long'}
        {isCut && ' · only the start of the answer is compared'}
      </p>
      <pre
        tabIndex={0}
        role="group"
        aria-label={words.label}
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
