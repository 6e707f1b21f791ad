import { useQuery as useAddress } from '../router.tsx'

export type Credit = 'calls' | 'effects'

export const creditNames: Record<Credit, { label: string; description: string }> = {
  calls: {
    label: 'Calls made',
    description:
      'Each expected call is scored by its best match: 40 % for the tool, 60 % for its arguments. Extra calls are free.',
  },
  effects: {
    label: 'Effects',
    description:
      'Only calls that change something count, matched one to one; extra changes cost points. Closer to the reward.',
  },
}

/** The credit in the address, and a function to change it. `seed`, the old name of `calls`, still works. */
export function useCredit(): [Credit, (credit: Credit) => void] {
  const [query, changeQuery] = useAddress()
  return [
    query.get('credit') === 'effects' ? 'effects' : 'calls',
    (credit) => changeQuery({ credit: credit === 'calls' ? undefined : credit }),
  ]
}
