import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import {
  benchmarkModeLocks,
  commonOptions,
  defaultParameters,
  parameterOptions,
  runOptions,
} from '../../../contract/index.ts'
import { describeChosen, type ChosenOption } from '../../../report/words/index.ts'
import type { ArenaState } from '../../../stores/arenaStore.ts'
import { Button } from '../../ui/Button.tsx'
import { ParameterPanel } from '../ParameterPanel.tsx'
import { ComposerRow } from './Chip.tsx'
import { OptionSection } from './OptionFields.tsx'

const { benchmarkMode: _mode, ...parameters } = parameterOptions

/** What differs from the defaults, of the parameters that are sent and of the run. */
function listChosen(
  { choices, parameters: chosen }: ArenaState,
  { hasPanel, hasUser }: { hasPanel: boolean; hasUser: boolean },
): ChosenOption[] {
  const sent = chosen.benchmarkMode
    ? Object.fromEntries(Object.entries(chosen).filter(([name]) => !(name in benchmarkModeLocks)))
    : chosen
  const grouped = Object.entries(runOptions).filter(
    ([, option]) =>
      'group' in option && (hasPanel || option.group !== 'Judges') && (hasUser || !('isForUsers' in option)),
  )
  return [
    ...(chosen.benchmarkMode ? [{ name: 'benchmarkMode', text: parameterOptions.benchmarkMode.label }] : []),
    ...describeChosen(parameters, sent, defaultParameters),
    ...describeChosen(Object.fromEntries(grouped), choices),
  ]
}

/** Everything else: only what differs from the defaults is shown until it is opened. */
export function OptionsChoice({
  state,
  hasPanel,
  hasUser,
}: {
  state: ArenaState
  hasPanel: boolean
  hasUser: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  // A field with an error must be visible, and keeps what was typed into it.
  const isShown = isOpen || Object.keys(state.fieldErrors).length > 0
  const chosen = listChosen(state, { hasPanel, hasUser })
  return (
    <>
      <ComposerRow
        title="Options"
        aside={
          <Button kind="quiet" aria-expanded={isShown} aria-controls="arena-options" onClick={() => setOpen(!isShown)}>
            <SlidersHorizontal size={14} aria-hidden />
            {isShown ? 'Close' : 'Edit'}
          </Button>
        }
      >
        {chosen.map(({ name, text, usual }) => (
          <span key={name} className="max-w-full rounded bg-accent-soft px-2 py-0.5 text-[13px] break-words">
            <span className="font-medium text-accent-ink">{text}</span>
            {usual !== undefined && <span className="ml-1.5 text-muted">{usual}</span>}
          </span>
        ))}
        <span className="text-[13px] text-muted">{chosen.length === 0 ? 'all default' : 'all else default'}</span>
      </ComposerRow>
      {isShown && (
        <div
          id="arena-options"
          className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 border-b border-line p-4 md:p-5 lg:grid-cols-2"
        >
          <div className="flex min-w-0 flex-col gap-5">
            <ParameterPanel title="Parameter Panel" state={state} defaults={defaultParameters} />
            <OptionSection group="Cases" options={runOptions} state={state} hasUser={hasUser} />
            {hasPanel && <OptionSection group="Judges" options={commonOptions} state={state} />}
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <OptionSection group="Reduce cost" options={runOptions} state={state} />
            <OptionSection group="Limits" options={runOptions} state={state} />
          </div>
        </div>
      )}
    </>
  )
}
