import { useQuery as useAddress } from '../router.tsx'

export type Credit = 'calls' | 'effects'

export const creditNames: Record<Credit, { label: string; says: string }> = {
  calls: {
    label: 'Calls made',
    says: 'Each expected call takes its best match: 40 % for the tool, 60 % for its arguments. Extra calls are free.',
  },
  effects: {
    label: 'Effects',
    says: 'Only calls that change something count, matched one to one; extra changes cost. Closer to what the reward says.',
  },
}

/** The credit in the address, and how to switch to the other. `seed`, the old name of `calls`, still works. */
export function useCredit(): [Credit, (credit: Credit) => void] {
  const [query, change] = useAddress()
  return [
    query.get('credit') === 'effects' ? 'effects' : 'calls',
    (credit) => change({ credit: credit === 'calls' ? undefined : credit }),
  ]
}
