export type PairChoice = 'left' | 'right' | 'tie'

/** Digits, because letters after `g` switch screens. */
export const pairChoices: { choice: PairChoice; label: string; key: string }[] = [
  { choice: 'left', label: 'A is better', key: '1' },
  { choice: 'right', label: 'B is better', key: '2' },
  { choice: 'tie', label: 'Tie', key: '3' },
]

export function choiceOfKey(pressed: string): PairChoice | undefined {
  return pairChoices.find(({ key }) => key === pressed)?.choice
}
