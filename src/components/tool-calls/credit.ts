import { useQuery as useAddress } from '../router.tsx'

export type Credit = 'seed' | 'effects'

export const creditNames: Record<Credit, { label: string; says: string }> = {
  seed: {
    label: 'Calls made',
    says: 'Each expected call takes its best match: 40 % for the tool, 60 % for its arguments. Extra calls are free.',
  },
  effects: {
    label: 'Effects',
    says: 'Only calls that change something count, matched one to one; extra changes cost. Closer to what the reward says.',
  },
}

/** Which credit the address asks for, and how to ask for the other. */
export function useCredit(): [Credit, (credit: Credit) => void] {
  const [query, change] = useAddress()
  return [
    query.get('credit') === 'effects' ? 'effects' : 'seed',
    (credit) => change({ credit: credit === 'seed' ? undefined : credit }),
  ]
}
