import { useEffect, useRef, useState } from 'react'
import { useKeptText } from '../../ui/use-kept.ts'
import type { HumanRating, RatingScale } from '../../../contract/index.ts'
import { formatCount } from '../../../report/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { TextArea } from '../../ui/form/Field.tsx'
import { usePageKeys } from '../../ui/keys.ts'
import { pointsOf, readKey, typeDigit } from './rating-entry.ts'

const STEPS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]

interface RatingControlsProps {
  scale: RatingScale
  /** What the person said before taking it back. */
  /** Names the answer, to keep an unsent note. */
  place: string
  own: HumanRating | undefined
  isSaving: boolean
  canUndo: boolean
  onRate: (rating: HumanRating) => void
  onUndo: () => void
}

const ratingText = (own: HumanRating | undefined) =>
  own?.rating === undefined ? '' : String(Math.round(own.rating * 100)).padStart(2, '0')

/** Rating by keyboard or by touch. It belongs to one answer: give it that answer's key. */
export function RatingControls({ place, scale, own, isSaving, canUndo, onRate, onUndo }: RatingControlsProps) {
  const [typed, setTyped] = useState(() => ratingText(own))
  const [note, setNote] = useKeptText(`rating:${place}`, own?.note)
  const [isNoting, setNoting] = useState(note !== '')
  const noteField = useRef<HTMLDivElement>(null)
  const points = pointsOf(typed)
  const send = (rating: number | undefined) =>
    onRate({ ...(rating !== undefined && { rating }), ...(note.trim() !== '' && { note: note.trim() }) })
  const openNote = () => {
    setNoting(true)
    noteField.current?.querySelector('textarea')?.focus()
  }
  useEffect(() => {
    if (isNoting && own?.note === undefined) noteField.current?.querySelector('textarea')?.focus()
  }, [isNoting, own])

  usePageKeys((key) => {
    const action = readKey(key, { scale, typed })
    if (!action || isSaving) return false
    if (action.kind === 'type') setTyped(typeDigit(typed, action.digit))
    else if (action.kind === 'clear') setTyped('')
    else if (action.kind === 'rate') send(action.rating)
    else if (action.kind === 'skip') send(undefined)
    else if (action.kind === 'note') openNote()
    else if (canUndo) onUndo()
    return true
  })

  return (
    <div className="sticky bottom-0 z-4 -mx-4 flex flex-col gap-2 border-t border-line bg-canvas px-4 py-3 md:-mx-6 md:px-6">
      {isNoting && (
        <div ref={noteField}>
          <TextArea
            label="Note"
            rows={2}
            value={note}
            onChange={setNote}
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
            hint="Saved with the rating. Esc goes back to rating."
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {scale === 'points' ? (
          <>
            <div role="group" aria-label="Rate" className="flex flex-wrap gap-1">
              {STEPS.map((step) => (
                <button
                  key={step}
                  type="button"
                  aria-pressed={points === step}
                  aria-label={`Rate ${step} of 100`}
                  disabled={isSaving}
                  onClick={() => setTyped(step === 100 ? '100' : String(step).padStart(2, '0'))}
                  className={classes(
                    'h-8 min-w-9 rounded-md border px-1 tabular-nums',
                    points === step
                      ? 'border-accent bg-accent-soft font-semibold text-accent-ink'
                      : 'border-line bg-surface hover:bg-hover',
                  )}
                >
                  {step}
                </button>
              ))}
            </div>
            <Button
              kind="primary"
              disabled={points === undefined || isSaving}
              onClick={() => points !== undefined && send(points / 100)}
            >
              <span aria-live="polite">{points === undefined ? 'Rate' : `Rate ${formatCount(points)}`}</span> ⏎
            </Button>
          </>
        ) : (
          <>
            <Button kind="primary" disabled={isSaving} onClick={() => send(1)}>
              Pass <kbd className="font-mono text-xs">P</kbd>
            </Button>
            <Button disabled={isSaving} onClick={() => send(0)}>
              Fail <kbd className="font-mono text-xs">F</kbd>
            </Button>
          </>
        )}
        <span className="flex flex-wrap gap-1">
          <Button kind="quiet" disabled={isSaving} onClick={() => send(undefined)}>
            Skip <kbd className="font-mono text-xs">S</kbd>
          </Button>
          <Button kind="quiet" onClick={openNote}>
            Note <kbd className="font-mono text-xs">N</kbd>
          </Button>
          <Button kind="quiet" disabled={!canUndo || isSaving} onClick={onUndo}>
            Undo <kbd className="font-mono text-xs">U</kbd>
          </Button>
        </span>
        {scale === 'points' && <span className="text-xs text-muted max-md:hidden">Type 8 for 80. Enter saves.</span>}
      </div>
    </div>
  )
}
