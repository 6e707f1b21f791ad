import type { ArenaState } from '../../../stores/arenaStore.ts'
import { Switch } from '../../ui/Switch.tsx'

/** Whether the provider may take its time, for half the price. */
export function BatchChoice({ state: { choices, choose } }: { state: Pick<ArenaState, 'choices' | 'choose'> }) {
  return (
    <Switch
      label="In batches"
      hint="Half the price at OpenAI and Anthropic; the answers can take up to a day. The run waits, and can be stopped and resumed."
      checked={choices.batch ?? false}
      onChange={(batch) => choose({ batch })}
    />
  )
}
