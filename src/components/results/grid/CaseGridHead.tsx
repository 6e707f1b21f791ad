import { ArrowDown, ArrowUp } from 'lucide-react'
import { ariaSort, type CaseQuery } from './case-query.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { ROW_HEIGHT } from './CaseGridRow.tsx'

interface CaseGridHeadProps {
  models: string[]
  template: string
  query: CaseQuery
  onSort: (sort: string) => void
}

function SortButton({
  label,
  sort,
  query,
  onSort,
  isRight,
}: {
  label: string
  sort: string
  query: CaseQuery
  onSort: (sort: string) => void
  isRight?: boolean
}) {
  const direction = ariaSort(sort, query)
  return (
    <button
      type="button"
      title={`Sort by ${label}`}
      onClick={() => onSort(sort)}
      className={`flex h-full w-full min-w-0 items-center gap-1 px-2 hover:bg-hover ${isRight ? 'justify-end' : 'px-3'}`}
    >
      <CutName name={label} />
      {direction === 'ascending' && <ArrowUp size={12} aria-hidden className="shrink-0" />}
      {direction === 'descending' && <ArrowDown size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

/** The sticky header; clicking a column sorts by it. */
export function CaseGridHead({ models, template, query, onSort }: CaseGridHeadProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-3">
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line bg-surface text-xs font-medium"
        style={{ gridTemplateColumns: template, height: ROW_HEIGHT }}
      >
        <div
          role="columnheader"
          aria-sort={ariaSort('id', query)}
          className="sticky left-0 z-2 border-r border-line bg-surface"
        >
          <SortButton label="Case" sort="id" query={query} onSort={onSort} />
        </div>
        {models.map((model) => (
          <div key={model} role="columnheader" aria-sort={ariaSort(`model:${model}`, query)} className="min-w-0">
            <SortButton label={model} sort={`model:${model}`} query={query} onSort={onSort} isRight />
          </div>
        ))}
      </div>
    </div>
  )
}
