import { useAddress } from '../router.tsx'

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
      'Calls that change something, matched one to one, and what the user must be told; extra changes cost points. Tracks reward better.',
  },
}

/** The credit in the address (effects if it names none), and a function to change it. `seed` is the old name of `calls`. */
export function useCredit(): [Credit, (credit: Credit) => void] {
  const [query, changeQuery] = useAddress()
  return [
    /^(calls|seed)$/.test(query.get('credit') ?? '') ? 'calls' : 'effects',
    (credit) => changeQuery({ credit: credit === 'effects' ? undefined : credit }),
  ]
}
