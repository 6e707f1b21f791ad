import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { GitFork, X } from 'lucide-react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { toast } from '../../ui/toast.ts'
import { useHasSeenNames } from '../vote/voter.ts'
import { nameFork } from './forked-answer.ts'

/** The forks kept with a run, to open again. Nothing if there are none. */
export function Forks({ runId, nameOf }: { runId: string; nameOf: (modelId: string) => string }) {
  const queries = useQueryClient()
  const names = useHasSeenNames(runId) ? 'shown' : 'hidden'
  const forks = useQuery({
    queryKey: ['code-arena', 'forks', runId, names],
    queryFn: () => readReply(api.arenaPages[':runId'].forks.$get({ param: { runId }, query: { names } })),
    staleTime: 5_000,
  })
  const remove = useMutation({
    mutationFn: (forkId: string) =>
      readReply(api.arenaPages[':runId'].forks[':forkId'].$delete({ param: { runId, forkId } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['code-arena', 'forks', runId] }),
    onSuccess: () => toast('The fork was deleted.'),
    onError: (error) => toast(error.message),
  })
  const list = forks.data?.forks ?? []
  if (list.length === 0) return null
  return (
    <section aria-label="Forks" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="inline-flex items-center gap-1.5 text-[13px] text-muted">
        <GitFork size={14} aria-hidden />
        Forks
      </h2>
      <ul className="flex min-w-0 flex-wrap gap-1">
        {list.map(({ id, name, modelId, savedAt }) => {
          const title = nameFork({ name, modelId: nameOf(modelId) })
          return (
            <li key={id} className="flex max-w-full min-w-0 items-center rounded-md border border-line bg-surface">
              <Link
                to={`/code-arena/${encodeURIComponent(runId)}/edit?fork=${encodeURIComponent(id)}`}
                title={`Saved ${formatLocalTime(savedAt)}`}
                className="min-w-0 truncate px-2 py-1 text-[13px] hover:underline"
              >
                {title}
              </Link>
              <IconButton
                label={`Delete ${title}`}
                className="size-7!"
                disabled={remove.isPending}
                onClick={() => remove.mutate(id)}
              >
                <X size={13} aria-hidden />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
