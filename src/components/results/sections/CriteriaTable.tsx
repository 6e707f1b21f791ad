import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { CriterionStats } from '../../../statistics/index.ts'
import { criterionMark, formatCount, formatPercent } from '../../../report/words/index.ts'
import { Link } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { TablePanel } from '../../ui/Page.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { caseAddress } from '../addresses.ts'

interface CriteriaProps {
  selection: string
  models: string[]
}

/** The verdicts on one criterion in each case that has it. */
function CriterionCases({ selection, models, criterion }: CriteriaProps & { criterion: CriterionStats }) {
  return criterion.cases.map(({ testCaseId, models: verdicts }) => {
    const meanOf = new Map(verdicts.map(({ modelId, mean }) => [modelId, mean]))
    return (
      <tr key={testCaseId}>
        <th scope="row" className="sticky left-0 z-1 max-w-0 bg-surface py-1 pr-2 pl-9 text-left font-normal">
          <Link to={caseAddress(selection, { id: testCaseId })} className="block truncate hover:underline">
            {testCaseId}
          </Link>
        </th>
        {models.map((modelId) => {
          const { mark, word } = criterionMark(meanOf.get(modelId))
          return (
            <td key={modelId} className="px-2 text-right">
              <Link
                to={caseAddress(selection, { id: testCaseId, model: modelId })}
                aria-label={`${modelId}: ${word}`}
                title={word}
                className="inline-block min-w-6 py-0.5 hover:underline"
              >
                {mark}
              </Link>
            </td>
          )
        })}
      </tr>
    )
  })
}

/** A row a criterion, a column a model; a click shows the cases. */
export function CriteriaTable({ selection, models, criteria }: CriteriaProps & { criteria: CriterionStats[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (text: string) =>
    setOpen((before) => new Set(before.has(text) ? [...before].filter((other) => other !== text) : [...before, text]))
  return (
    <TablePanel label="Criteria by model">
      <table className="w-full min-w-140 table-fixed text-[13px]">
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className="sticky left-0 z-1 w-2/5 bg-surface px-3 py-1.5 text-left font-normal">
              Criterion
            </th>
            {models.map((modelId) => (
              <th key={modelId} scope="col" className="px-2 font-normal">
                <CutName name={modelId} className="justify-end text-right" />
              </th>
            ))}
          </tr>
        </thead>
        {criteria.map((criterion) => {
          const { text, cases, models: scores } = criterion
          const meanOf = new Map(scores.map(({ modelId, mean }) => [modelId, mean]))
          const isOpen = open.has(text)
          return (
            <tbody key={text} className="border-t border-line">
              <tr>
                <th scope="row" className="sticky left-0 z-1 bg-surface px-3 text-left font-medium">
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    onClick={() => toggle(text)}
                    className="flex w-full items-start gap-1.5 py-1.5 text-left hover:underline"
                  >
                    <ChevronRight
                      size={14}
                      aria-hidden
                      className={classes('mt-[3px] shrink-0 text-muted', isOpen && 'rotate-90')}
                    />
                    <span className="min-w-0 break-words">
                      {text} <span className="font-normal text-muted">{formatCount(cases.length, 'case')}</span>
                    </span>
                  </button>
                </th>
                {models.map((modelId) => (
                  <td
                    key={modelId}
                    className="px-2 text-right font-medium tabular-nums"
                    style={scoreStyle(meanOf.get(modelId))}
                  >
                    {formatPercent(meanOf.get(modelId), 0)}
                  </td>
                ))}
              </tr>
              {isOpen && <CriterionCases {...{ selection, models, criterion }} />}
            </tbody>
          )
        })}
      </table>
    </TablePanel>
  )
}
