import { Page } from './Page.tsx'
import type { FetchStatus } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../contract/index.ts'
import { ApiFailure } from '../api-request.ts'
import { Link } from '../router.tsx'
import { arenaRunAddress, markNamesSeen } from '../code-arena/vote/voter.ts'
import { Button, buttonClass } from './Button.tsx'
import { EmptyState, FailureNotice, Loading } from './Notice.tsx'

/** What `Loaded` reads of a query of TanStack. */
export interface LoadedQuery<Data> {
  data: Data | undefined
  error: unknown
  /** A query that is disabled is idle without data. */
  fetchStatus: FetchStatus
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: LoadedQuery<Data>
  /** With its article: “the history”. */
  what: string
  /** The height of what comes, in lines. */
  rows?: number
  /** The title of the screen until the data come, which bring a page of their own. */
  page?: string
  /** Where to go if it does not exist or cannot be loaded. */
  back?: { to: string; label: string }
  /** Shown if it does not exist or nothing was asked for; otherwise the server’s sentence is shown. */
  missing?: ReactNode
  empty?: ReactNode
  /** A list is empty without this. */
  isEmpty?: (data: Data) => boolean
  children: (data: Data) => ReactNode
}

export const isMissing = (failure: unknown) => failure instanceof ApiFailure && failure.status === 404

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0

/** Two queries as one, which has data when both have. */
export function both<A, B>(a: LoadedQuery<A>, b: LoadedQuery<B>): LoadedQuery<[A, B]> {
  return {
    data: a.data === undefined || b.data === undefined ? undefined : [a.data, b.data],
    error: a.error ?? b.error,
    fetchStatus: a.fetchStatus === 'idle' ? b.fetchStatus : a.fetchStatus,
    refetch: () => Promise.all([a.refetch(), b.refetch()]),
  }
}

/** Names are asked for here, by whoever does not want to vote blind. */
function NamesKept({ failure, onShown }: { failure: ApiFailure; onShown: () => unknown }) {
  const runIds = failure.problems.flatMap(({ path }) => (typeof path[1] === 'string' ? [path[1]] : []))
  const show = () => {
    for (const runId of runIds) markNamesSeen(runId)
    onShown()
  }
  return (
    <EmptyState
      title={failure.message}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {runIds[0] !== undefined && (
            <Link to={arenaRunAddress(runIds[0])} className={buttonClass('primary')}>
              Vote on the pages
            </Link>
          )}
          <Button onClick={show}>Show the names</Button>
        </div>
      }
    >
      Votes that are cast after the names were shown are marked as not blind.
    </EmptyState>
  )
}

/** What to show instead of the data or, if an earlier reply is still shown, above them. */
function QueryState({ query, what, rows, back, missing }: Omit<LoadedProps<unknown>, 'children'>) {
  const { data, error, fetchStatus, refetch } = query
  const way = back && (
    <Link to={back.to} className={buttonClass()}>
      {back.label}
    </Link>
  )
  if (error instanceof ApiFailure && error.code === 'names-kept') return <NamesKept failure={error} onShown={refetch} />
  if (isMissing(error)) return missing ?? <EmptyState title={messageOf(error)} action={way} />
  if (error !== null && error !== undefined)
    return (
      <FailureNotice
        title={`${what[0]?.toUpperCase()}${what.slice(1)} could not be loaded`}
        failure={error}
        onRetry={refetch}
        action={way}
      />
    )
  if (data !== undefined) return null
  return fetchStatus === 'idle' ? missing : <Loading label={`Loading ${what}…`} rows={rows} />
}

/**
 * What a query gave. Before that a placeholder of the same height; if it failed, why and a way to try again, above the
 * data of an earlier reply; if there is no such thing or nothing in it, one sentence.
 */
export function Loaded<Data>({ page, empty, isEmpty = isEmptyList, children, ...props }: LoadedProps<Data>) {
  const { data, error } = props.query
  const shown =
    data === undefined || isMissing(error) ? null : empty !== undefined && isEmpty(data) ? empty : children(data)
  if (page === undefined)
    return (
      <>
        <QueryState {...props} />
        {shown}
      </>
    )
  // A page that is shown already must not be taken away because it could not be refreshed.
  return (
    shown ?? (
      <Page title={page}>
        <QueryState {...props} />
      </Page>
    )
  )
}
