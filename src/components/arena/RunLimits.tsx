import { Section } from '../ui/Page.tsx'
import { NumberField } from './NumberField.tsx'
import { useArena } from './use-arena.ts'

/** How fast, how dear, how patient. */
export function RunLimits() {
  const { concurrency, maxCost, timeoutSeconds } = useArena((state) => state.choices)
  const choose = useArena((state) => state.choose)
  return (
    <Section title="Limits">
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        <NumberField
          label="Concurrency"
          hint="Requests at once, a provider"
          min={1}
          max={500}
          isWhole
          value={concurrency}
          onChange={(value) => value !== undefined && choose({ concurrency: value })}
        />
        <NumberField label="Budget in USD" hint="Stops before it is passed" placeholder="no limit" min={0} isMinExcluded isOptional value={maxCost} onChange={(value) => choose({ maxCost: value })} />
        <NumberField
          label="Timeout in seconds"
          hint="Until the first token"
          placeholder="120"
          min={0}
          isMinExcluded
          max={3600}
          isOptional
          value={timeoutSeconds}
          onChange={(value) => choose({ timeoutSeconds: value })}
        />
      </div>
    </Section>
  )
}
