import { Loaded } from '../../ui/Loaded.tsx'
import type { ModelList } from '../../../server/settings/model-catalog.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { Section } from '../../ui/Page.tsx'
import { ChosenModels } from './ChosenModels.tsx'
import { ModelPicker, type PickerFilters } from './ModelPicker.tsx'
import { describeListedPrice } from '../../../report/words/models.ts'

interface ModelChoiceProps {
  models: UseQueryResult<ModelList>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The models to run: the chosen ones first, then all models. */
export function ModelChoice({ models, chosen, onChange }: ModelChoiceProps) {
  const [query, changeQuery] = useAddress()
  const read = (name: string) => query.get(name) ?? ''
  const filters: PickerFilters = {
    search: read('search'),
    provider: read('provider'),
    maxPrice: read('price'),
    minContext: read('context'),
    sort: read('sort'),
  }
  const byId = new Map(models.data?.models.map((model) => [model.id, model]))
  return (
    <Section
      title="Models"
      aside={
        <span className="inline-flex items-center gap-2">
          {formatCount(chosen.length, 'model')} chosen
          {chosen.length > 1 && (
            <Button kind="quiet" className="h-6! px-1.5! text-xs" onClick={() => onChange([])}>
              Remove all
            </Button>
          )}
        </span>
      }
    >
      {chosen.length > 0 && (
        <ChosenModels
          label="Chosen models"
          ids={chosen}
          onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
          notes={new Map(chosen.map((id) => [id, describeListedPrice(byId.get(id), models.data !== undefined)]))}
        />
      )}
      <Loaded query={models} what="the models" rows={4}>
        {(list) => (
          <ModelPicker
            label="All models"
            list={list}
            chosen={chosen}
            onChange={onChange}
            filters={filters}
            onFilter={({ maxPrice, minContext, ...others }) =>
              changeQuery({
                ...others,
                ...(maxPrice !== undefined && { price: maxPrice }),
                ...(minContext !== undefined && { context: minContext }),
              })
            }
          />
        )}
      </Loaded>
    </Section>
  )
}
