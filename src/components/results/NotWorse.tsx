import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, CircleHelp } from 'lucide-react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { readSmallestDifference } from './SmallestDifference.tsx'

/** Which models are not worse than a chosen one by the smallest difference that matters. */
export function NotWorse({ selection, models, margin }: { selection: string; models: string[]; margin: boolean }) {
  const [address, changeQuery] = useAddress()
  const smallestDifference = readSmallestDifference(address)
  const model = models.find((name) => name === address.get('reference')) ?? ''
  const hasMargin = margin || smallestDifference !== undefined
  const reference = useQuery({
    queryKey: ['results', selection, 'reference', model, smallestDifference],
    queryFn: () =>
      readReply(
        api.results[':selection'].reference.$get({ param: { selection }, query: { model, smallestDifference } }),
      ),
    enabled: hasMargin && model !== '',
    placeholderData: keepPreviousData,
  })
  return (
    <div className="flex min-w-0 max-w-full flex-col gap-2">
      <SelectField
        label="Which are not worse than"
        className="w-80 max-w-full"
        value={hasMargin ? model : ''}
        disabled={!hasMargin}
        onChange={(name) => changeQuery({ reference: name || undefined })}
      >
        <option value="">{hasMargin ? 'Choose a model…' : 'Set the smallest difference first'}</option>
        <SelectOptions of={models} />
      </SelectField>
      {hasMargin && model !== '' && (
        <Loaded query={reference} what="the models" rows={2}>
          {(loaded) => (
            <ul aria-label={`Compared with ${model}`}>
              {loaded.models.map(({ modelId, sentence, isNotWorse }) => (
                <li key={modelId} className="flex items-start gap-2 break-words">
                  {isNotWorse ? (
                    <Check size={14} aria-hidden className="mt-[3px] shrink-0 text-accent-ink" />
                  ) : (
                    <CircleHelp size={14} aria-hidden className="mt-[3px] shrink-0 text-warning" />
                  )}
                  <span className="min-w-0">{sentence}</span>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </div>
  )
}
