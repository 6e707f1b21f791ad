import type { ArenaState } from '../../../stores/arenaStore.ts'
import { SelectField } from '../../ui/Field.tsx'
import { Section } from '../../ui/Page.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { NumberField } from './NumberField.tsx'

/** When to stop asking, and whom. */
export function DecideChoice({ state: { choices, choose } }: { state: Pick<ArenaState, 'choices' | 'choose'> }) {
  const { until, decide, screen } = choices
  const isUntil = until !== undefined
  return (
    <Section title="Spend less">
      <Switch
        label="Stop when decided"
        hint="Asks the cases in a random order and stops as soon as it is certain how the models compare."
        checked={isUntil}
        onChange={(isOn) => choose({ until: isOn ? 'decided' : undefined })}
      />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        {isUntil && (
          <SelectField
            label="Decide"
            value={decide ?? 'all'}
            hint={decide === 'best' ? 'Worse models drop out' : 'Which of two models is better'}
            onChange={({ target }) => choose({ decide: target.value === 'best' ? 'best' : undefined })}
          >
            <option value="all">Every pair</option>
            <option value="best">Only the best</option>
          </SelectField>
        )}
        <NumberField
          label="Screen with cases"
          hint="Then only models still in question"
          placeholder="no screening"
          min={1}
          isWhole
          isOptional
          value={screen}
          onChange={(value) => choose({ screen: value })}
        />
      </div>
    </Section>
  )
}
