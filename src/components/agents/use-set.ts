import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'

/** Recorded runs that were added together, with their grades. */
export const useSet = (id: string) =>
  useQuery({
    queryKey: ['trajectories', id],
    queryFn: () => readExactReply(api.trajectories[':id'].$get({ param: { id } })),
    staleTime: 60_000,
  })
