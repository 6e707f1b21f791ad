import type { PartialRanking } from '../../statistics/index.ts'
import { partsTable } from '../../report/tables/rankings.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { Section } from '../ui/Page.tsx'

/** Ratings over parts of the cases or of the time, a column each. */
export function PartsTable({
  title,
  parts,
  models,
}: {
  title: string
  parts: readonly PartialRanking[]
  models: readonly string[]
}) {
  if (parts.length < 2) return null
  return (
    <Section title={title} aside="in each column 1,000 is the mean of its models">
      <DataTable label={title} columns={partsTable(parts)} rows={models} keyOf={(modelId) => modelId} />
    </Section>
  )
}
