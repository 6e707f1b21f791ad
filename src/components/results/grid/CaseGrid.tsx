import { Loaded } from '../../ui/Loaded.tsx'
import type { ResultsView } from '../../../server/results/results-view.ts'
import { useCallback, useMemo, useState } from 'react'
import { navigate, useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { caseAddress } from '../addresses.ts'
import { CaseFilters } from './CaseFilters.tsx'
import { CaseGridBox } from './CaseGridBox.tsx'
import { CaseGridHead } from './CaseGridHead.tsx'
import { ColumnsMenu, useHiddenColumns } from '../ColumnsMenu.tsx'
import { chooseColumns } from '../hidden-columns.ts'
import { describeShown, isFiltered, nextColumnSort, noFilters, readCaseQuery } from './case-query.ts'
import { ANSWER_ROW_HEIGHT, ROW_HEIGHT } from './CaseGridRow.tsx'
import { rememberResults } from '../last-results.ts'
import type { GridPlace } from './page-window.ts'
import { PAGE_SIZE, useCasePages } from './use-case-pages.ts'

interface CaseGridProps {
  selection: string
  view: ResultsView
  refreshMs: number | false
}

/** The number of rows loaded before and after the visible ones. */
const AHEAD = 60

function readRow(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Cases × models, each cell with a colour and a number. Rows are loaded by page while scrolling. */
export function CaseGrid({ selection, view, refreshMs }: CaseGridProps) {
  const [address, changeQuery] = useAddress()
  const query = readCaseQuery(address)
  const startRow = readRow(address.get('row'))
  const allModels = useMemo(() => view.rows.map(({ modelId }) => modelId), [view.rows])
  const [hidden, changeHidden] = useHiddenColumns('models')
  const models = useMemo(() => chooseColumns(allModels, hidden, (model) => model), [allModels, hidden])
  const withAnswers = query.answers === '1'
  const [range, setRange] = useState({ first: startRow ?? 0, last: (startRow ?? 0) + AHEAD })
  const pages = useCasePages({ selection, query, refreshMs }, range)
  const total = pages.query.data

  // The state changes only with the pages needed, so that scrolling does not re-render the rest.
  const updateRange = useCallback((first: number, last: number) => {
    const [from, to] = [Math.max(0, first - AHEAD), last + AHEAD]
    const pageOf = (row: number) => Math.floor(row / PAGE_SIZE)
    setRange((before) =>
      pageOf(before.first) === pageOf(from) && pageOf(before.last) === pageOf(to) ? before : { first: from, last: to },
    )
  }, [])
  // Puts the row in the address, so that going back returns to it.
  const leave = useCallback(
    (row: number) => {
      const next = new URLSearchParams(window.location.search)
      next.set('row', String(row))
      navigate(`${window.location.pathname}?${next.toString()}`, { replace: true })
      rememberResults(selection, `?${next.toString()}`)
    },
    [selection],
  )
  const open = ({ row, column }: GridPlace) => {
    const found = pages.rowAt(row)
    if (!found) return
    leave(row)
    navigate(caseAddress(selection, { id: found.row.id, model: models[column]! }))
  }
  const showAll = () => changeQuery({ ...noFilters, group: undefined, row: undefined })

  // With many models the first column gets narrower, so that each model has room for a number and a label.
  const share = withAnswers ? Math.max(14, 30 - models.length * 4) : Math.max(18, 46 - models.length * 4)
  const modelWidth = withAnswers ? 16 : 7
  const template = `minmax(8.5rem, ${share}%) repeat(${models.length}, minmax(${modelWidth}rem, 1fr))`
  return (
    <Section
      title="Cases"
      id="cases"
      aside={
        <span className="flex flex-wrap items-center gap-x-3">
          <span aria-live="polite">
            {total === undefined ? 'loading…' : describeShown(total, view.suite?.cases ?? total, query)}
          </span>
          <ColumnsMenu label="Models in the grid" columns={allModels} shown={models} onChange={changeHidden} />
          <Switch
            label="Answers"
            checked={withAnswers}
            onChange={(isOn) => changeQuery({ answers: isOn ? '1' : undefined, row: undefined })}
          />
        </span>
      }
    >
      <CaseFilters view={view} query={query} changeQuery={(changes) => changeQuery({ ...changes, row: undefined })} />
      <Loaded
        query={pages.query}
        what="the cases"
        isEmpty={(rows) => rows === 0}
        empty={
          <EmptyState
            title="No matching cases."
            action={isFiltered(query) && <Button onClick={showAll}>Show all cases</Button>}
          />
        }
      >
        {(rows) => (
          <Panel className={pages.isOutdated ? 'opacity-60' : ''}>
            <CaseGridBox
              key={query.answers}
              selection={selection}
              rowHeight={withAnswers ? ANSWER_ROW_HEIGHT : ROW_HEIGHT}
              total={rows}
              models={models}
              head={
                <CaseGridHead
                  models={models}
                  template={template}
                  query={query}
                  onSort={(sort) => changeQuery({ ...nextColumnSort(sort, query), row: undefined })}
                />
              }
              template={template}
              minWidth={`${8.5 + models.length * modelWidth}rem`}
              isBusy={pages.isOutdated}
              rowAt={pages.rowAt}
              startRow={startRow}
              onRange={updateRange}
              onOpen={open}
              onLeave={leave}
            />
          </Panel>
        )}
      </Loaded>
    </Section>
  )
}
