import { forRunners } from '../../access/for-runners.tsx'
import { Check } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { ratingSteps, readPoints } from './rating.ts'
import { useRating, type RatedAnswer } from './use-rating.ts'

/** A person's rating of the answer. Saved automatically. */
function RatingFormForRunners(rated: RatedAnswer) {
  const { draft, change, save, isWaiting, handlersOf } = useRating(rated)
  const isInvalid = readPoints(draft.points) === 'invalid'
  const state =
    save.isPending || (isWaiting && !isInvalid)
      ? 'Saving…'
      : save.isError
        ? `Not saved: ${save.error.message}`
        : save.isSuccess && !isInvalid
          ? 'Saved'
          : ''
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-[13px] font-medium">Your rating</legend>
      <div className="flex flex-wrap items-center gap-1">
        {ratingSteps.map((step) => {
          const isChosen = draft.points === String(step)
          return (
            <button
              key={step}
              type="button"
              aria-pressed={isChosen}
              aria-label={`Rate ${step} of 100`}
              onClick={() => change({ points: isChosen ? '' : String(step) }, 0)}
              className={classes(
                'h-8 min-w-9 rounded-md border px-1.5 tabular-nums',
                isChosen
                  ? 'border-accent bg-accent-soft font-semibold text-accent-ink'
                  : 'border-line bg-surface hover:bg-hover',
              )}
            >
              {step}
            </button>
          )
        })}
        <TextField
          label="Rating, 0 to 100"
          isLabelHidden
          inputMode="decimal"
          placeholder="0–100"
          className="w-20"
          value={draft.points}
          error={isInvalid ? 'Enter a number from 0 to 100' : undefined}
          onChange={(event) => change({ points: event.target.value }, 600)}
          {...handlersOf('points')}
        />
        <span
          role="status"
          className={classes('inline-flex items-center gap-1 text-xs', save.isError ? 'text-danger' : 'text-muted')}
        >
          {state === 'Saved' && <Check size={14} aria-hidden />}
          {state}
        </span>
      </div>
      <TextArea
        label="Note"
        rows={2}
        value={draft.note}
        onChange={(event) => change({ note: event.target.value }, 600)}
        {...handlersOf('note')}
      />
    </fieldset>
  )
}

export const RatingForm = forRunners(RatingFormForRunners)
