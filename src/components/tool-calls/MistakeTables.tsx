import type { ToolCallFile } from '../../server/tool-calls/scored-files.ts'
import { Fragment, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Section, TablePanel } from '../ui/Page.tsx'

const INITIAL_ROWS = 10

/** Breaks after underscores where it has to. */
function BreakableName({ name }: { name: string }) {
  return name.split(/(?<=_)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}

/** The tools and arguments with the most mistakes. */
export function MistakeTables({ summary: { tools, arguments: wrongArguments } }: { summary: ToolCallFile['summary'] }) {
  const [areAllShown, setAllShown] = useState(false)
  const wrongTools = tools.filter(({ argumentsDiffer, missing, extra }) => argumentsDiffer + missing + extra > 0)
  if (wrongTools.length === 0 && wrongArguments.length === 0) return null
  const maxRows = areAllShown ? Infinity : INITIAL_ROWS
  const hasMore = wrongTools.length > INITIAL_ROWS || wrongArguments.length > INITIAL_ROWS
  const head = 'px-1 py-1.5 font-medium first:pl-3 last:pr-3 sm:px-3'
  return (
    <Section title="Mistakes by tool">
      <div className="grid gap-3 lg:grid-cols-2">
        <TablePanel label="Errors by tool">
          <table className="w-full">
            <caption className="sr-only">Errors by tool</caption>
            <thead className="text-right text-xs text-muted">
              <tr className="border-b border-line">
                <th className={`${head} text-left`}>Tool</th>
                <th className={head}>Expected</th>
                <th className={head}>Exact</th>
                <th className={head}>Differs</th>
                <th className={head}>Missing</th>
                <th className={head}>Extra</th>
              </tr>
            </thead>
            <tbody>
              {wrongTools.slice(0, maxRows).map(({ tool, expected, exact, argumentsDiffer, missing, extra }) => (
                <tr key={tool} className="border-b border-line text-right last:border-0">
                  <th scope="row" className="py-1.5 pr-1 pl-3 text-left font-mono text-xs font-normal break-words">
                    <BreakableName name={tool} />
                  </th>
                  {Object.entries({ expected, exact, argumentsDiffer, missing, extra }).map(([kind, count]) => (
                    <td key={kind} className={`px-1 py-1.5 last:pr-3 sm:px-3 ${count === 0 ? 'text-muted' : ''}`}>
                      {count}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TablePanel>
        <TablePanel label="Most frequent argument errors">
          <table className="w-full">
            <caption className="sr-only">Most frequent argument errors</caption>
            <thead className="text-left text-xs text-muted">
              <tr className="border-b border-line">
                <th className={head}>Argument</th>
                <th className={head}>Tool</th>
                <th className={`${head} text-right`}>Wrong</th>
              </tr>
            </thead>
            <tbody>
              {wrongArguments.slice(0, maxRows).map(({ tool, argument, wrong: count, of }) => (
                <tr key={`${tool} ${argument}`} className="border-b border-line last:border-0">
                  <td className="px-3 py-1.5 font-mono text-xs break-words">{argument}</td>
                  <td className="px-3 py-1.5 font-mono text-xs break-words text-muted">{tool}</td>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap">
                    {count} of {of}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablePanel>
      </div>
      {hasMore && (
        <Button kind="quiet" className="w-fit" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? 'Show fewer' : `Show all ${Math.max(wrongTools.length, wrongArguments.length)}`}
        </Button>
      )}
    </Section>
  )
}
