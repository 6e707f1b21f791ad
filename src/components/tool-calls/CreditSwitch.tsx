import { classes } from '../ui/classes.ts'
import { creditNames, type Credit } from './credit.ts'

export function CreditSwitch({ credit, onChange }: { credit: Credit; onChange: (credit: Credit) => void }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Type of credit</legend>
      <div className="flex w-fit rounded-md border border-line bg-surface p-0.5">
        {(['effects', 'calls'] as const).map((name) => (
          <label
            key={name}
            className={classes(
              'rounded px-3 py-1 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              credit === name && 'bg-accent-soft font-medium text-accent-ink',
            )}
          >
            <input
              type="radio"
              name="credit"
              className="sr-only"
              checked={credit === name}
              onChange={() => onChange(name)}
            />
            {creditNames[name].label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
