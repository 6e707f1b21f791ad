import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { classes } from '../../ui/classes.ts'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { countChanges, diffTexts, type DiffRow } from './version-diff.ts'

async function readVersion(id: string, version: number): Promise<string> {
  const [{ suite }, { writeSource }] = await Promise.all([
    readReply(api.suites[':id'].$get({ param: { id }, query: { version: String(version) } })),
    import('../suite-source.ts'),
  ])
  return writeSource(suite)
}

async function compareVersions(id: string, from: number, to: number): Promise<DiffRow[]> {
  const [before, after] = await Promise.all([readVersion(id, from), readVersion(id, to)])
  return diffTexts(before, after)
}

const ROW_HEIGHT = 20
const styles = { same: '', added: 'bg-added', removed: 'bg-removed' }
const marks = { same: ' ', added: '+', removed: '−' }
const labels = { same: '', added: 'added: ', removed: 'removed: ' }

function DiffLine({ row }: { row: DiffRow }) {
  if (row.kind === 'gap')
    return (
      <div className="h-[20px] bg-sunken px-2 text-xs leading-[20px] text-muted">
        {formatCount(row.count, 'unchanged line')}
      </div>
    )
  return (
    <div className={classes('flex h-[20px] min-w-full gap-2 px-2 leading-[20px] whitespace-pre', styles[row.kind])}>
      <span aria-hidden className="w-9 shrink-0 text-right select-none">
        {row.before}
      </span>
      <span aria-hidden className="w-9 shrink-0 text-right select-none">
        {row.after}
      </span>
      <span aria-hidden className="select-none">
        {marks[row.kind]}
      </span>
      <span className="sr-only">{labels[row.kind]}</span>
      <span>{row.text}</span>
    </div>
  )
}

function DiffView({ rows, label }: { rows: DiffRow[]; label: string }) {
  const box = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  })
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-[60dvh] overflow-auto rounded-md border border-line bg-surface font-mono text-[13px]"
    >
      <div className="relative" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => (
          <div key={index} className="absolute top-0 left-0 min-w-full" style={{ transform: `translateY(${start}px)` }}>
            <DiffLine row={rows[index]!} />
          </div>
        ))}
      </div>
    </div>
  )
}

function VersionDiff({ id, shown, from }: { id: string; shown: number; from: number }) {
  const rows = useQuery({
    queryKey: ['suite', id, 'compare', from, shown],
    queryFn: () => compareVersions(id, from, shown),
    staleTime: Infinity,
  })
  return (
    <Loaded
      query={rows}
      what="the difference"
      empty={
        <Notice>
          Versions {from} and {shown} are identical.
        </Notice>
      }
    >
      {(lines) => {
        const { added, removed } = countChanges(lines)
        return (
          <div className="flex flex-col gap-2">
            <p role="status" className="text-muted">
              From version {from} to version {shown}: {formatCount(added, 'line')} added, {removed} removed.
            </p>
            <DiffView rows={lines} label={`From version ${from} to version ${shown}, line by line`} />
          </div>
        )
      }}
    </Loaded>
  )
}

function FullVersion({ id, shown }: { id: string; shown: number }) {
  const text = useQuery({
    queryKey: ['suite', id, 'source', shown],
    queryFn: () => readVersion(id, shown),
    staleTime: Infinity,
  })
  return (
    <Loaded query={text} what="the version">
      {(value) => (
        <CodeEditor key={shown} label={`Version ${shown} as YAML`} language="yaml" value={value} isReadOnly />
      )}
    </Loaded>
  )
}

/** One version as YAML, or its changes from another version. */
export function VersionView({ id, shown, from }: { id: string; shown: number; from: number | undefined }) {
  return from === undefined || from === shown ? (
    <FullVersion id={id} shown={shown} />
  ) : (
    <VersionDiff id={id} shown={shown} from={from} />
  )
}
