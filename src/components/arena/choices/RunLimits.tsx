import { defaultTimeoutSeconds, providerLimitRange, runLimits } from '../../../contract/index.ts'
import type { ArenaState } from '../../../stores/arenaStore.ts'
import { isTeamServer } from '../../access/session.ts'
import { TextField } from '../../ui/Field.tsx'
import { Section } from '../../ui/Page.tsx'
import { NumberField } from './NumberField.tsx'

/** Concurrency, budget, rates and time limits. */
export function RunLimits({
  state: { choices, choose },
  budgetHint,
}: {
  state: Pick<ArenaState, 'choices' | 'choose'>
  budgetHint: string
}) {
  const { concurrency, requestsPerMinute, tokensPerMinute, maxCost, timeoutSeconds, maxTimeSeconds, project } = choices
  return (
    <Section title="Limits">
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        <NumberField
          label="Concurrency"
          hint="Parallel requests per provider"
          min={1}
          max={runLimits.concurrency}
          isWhole
          value={concurrency}
          onChange={(value) => value !== undefined && choose({ concurrency: value })}
        />
        <NumberField
          label="Budget in USD"
          hint={budgetHint}
          placeholder="no limit"
          min={0}
          isMinExcluded
          isOptional
          value={maxCost}
          onChange={(value) => choose({ maxCost: value })}
        />
        <NumberField
          label="Requests per minute"
          hint="Of this run, per provider"
          placeholder="no limit"
          min={1}
          max={providerLimitRange.requestsPerMinute}
          isWhole
          isOptional
          value={requestsPerMinute}
          onChange={(value) => choose({ requestsPerMinute: value })}
        />
        <NumberField
          label="Tokens per minute"
          hint="Of this run, per provider"
          placeholder="no limit"
          min={1}
          max={providerLimitRange.tokensPerMinute}
          isWhole
          isOptional
          value={tokensPerMinute}
          onChange={(value) => choose({ tokensPerMinute: value })}
        />
        <NumberField
          label="Timeout in seconds"
          hint="Until the first token"
          min={0}
          isMinExcluded
          max={runLimits.timeoutSeconds}
          value={timeoutSeconds ?? defaultTimeoutSeconds}
          onChange={(value) => choose({ timeoutSeconds: value === defaultTimeoutSeconds ? undefined : value })}
        />
        <NumberField
          label="Max time in seconds"
          hint="Until the last token"
          min={0}
          isMinExcluded
          max={runLimits.maxTimeSeconds}
          value={maxTimeSeconds}
          onChange={(value) => value !== undefined && choose({ maxTimeSeconds: value })}
        />
        {isTeamServer && (
          <TextField
            label="Project"
            hint="Pays for the run"
            placeholder="none"
            maxLength={100}
            value={project ?? ''}
            onChange={(event) => choose({ project: event.target.value.trimStart() || undefined })}
          />
        )}
      </div>
    </Section>
  )
}
