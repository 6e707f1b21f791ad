import { useState } from 'react'
import { formatCount } from '../../../report/words/index.ts'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { SelectionBar } from '../../ui/SelectionBar.tsx'
import { chooseSuites, listMethods, readSuiteSort, sortNames, suiteSorts } from './choose-suites.ts'
import { DeleteSuitesDialog } from './DeleteSuitesDialog.tsx'
import { SuiteTable } from './SuiteTable.tsx'

/** The suites that are asked for in the address, which can be deleted together. */
export function ListedSuites({ suites }: { suites: SuiteSummary[] }) {
  const [address, changeQuery] = useAddress()
  const [chosen, setChosen] = useState<string[]>([])
  // As they were when asked: the list changes while they are deleted.
  const [deleted, setDeleted] = useState<SuiteSummary[]>()
  const search = address.get('q') ?? ''
  const method = address.get('method') ?? ''
  const sort = readSuiteSort(address.get('sort'))
  const shown = chooseSuites(suites, { search, method, sort })
  // What is not shown is not deleted.
  const selected = shown.filter(({ id }) => chosen.includes(id))
  const methods = listMethods(suites)
  return (
    <>
      <div className="grid grid-cols-2 items-center gap-2 lg:flex lg:flex-wrap">
        <TextField
          label="Search suites"
          isLabelHidden
          type="search"
          placeholder="Search suites"
          className="max-lg:col-span-2 lg:w-72"
          value={search}
          onChange={(text) => changeQuery({ q: text })}
        />
        <SelectField
          label="Scoring method"
          isLabelHidden
          value={method}
          onChange={(value) => changeQuery({ method: value })}
        >
          <option value="">All methods</option>
          <SelectOptions of={methods.includes(method) || method === '' ? methods : [...methods, method]} />
        </SelectField>
        <SelectField
          label="Order"
          isLabelHidden
          value={sort}
          onChange={(value) => changeQuery({ sort: value === 'saved' ? undefined : value })}
        >
          <SelectOptions of={suiteSorts.map((name) => [name, sortNames[name]])} />
        </SelectField>
        <span role="status" className="text-muted max-lg:col-span-2 lg:ml-1">
          {shown.length === suites.length
            ? formatCount(shown.length, 'suite')
            : `${shown.length} of ${formatCount(suites.length, 'suite')}`}
        </span>
      </div>
      {selected.length > 0 && (
        <SelectionBar
          selected={formatCount(selected.length, 'suite')}
          shown={shown.length}
          onAll={() => setChosen(shown.map(({ id }) => id))}
          onClear={() => setChosen([])}
        >
          <Button kind="danger" onClick={() => setDeleted(selected)}>
            Delete…
          </Button>
        </SelectionBar>
      )}
      {shown.length === 0 ? (
        <EmptyState
          title="No matching suites."
          action={<Button onClick={() => changeQuery({ q: undefined, method: undefined })}>Show all</Button>}
        />
      ) : (
        <SuiteTable suites={shown} chosen={chosen} onChoose={setChosen} />
      )}
      {deleted && <DeleteSuitesDialog suites={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}
