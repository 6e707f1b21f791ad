import { useAddress } from '../router.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { useTyped } from '../ui/use-settled.ts'

/** The name in the address; the server takes the same points. */
const NAME = 'difference'

function isValid(text: string): boolean {
  return text.trim() === '' || (Number(text) >= 0.1 && Number(text) <= 100)
}

/** The difference that does not matter, in points, from the address; undefined for that of the runs. */
export function readSmallestDifference(address: URLSearchParams): string | undefined {
  const text = address.get(NAME) ?? ''
  return text.trim() === '' || !isValid(text) ? undefined : text.trim()
}

/** Sets the difference that does not matter, and that plans are made for. In the address, so that a reload shows the same. */
export function SmallestDifference() {
  const [address, changeQuery] = useAddress()
  const value = readSmallestDifference(address) ?? ''
  const [text, setText] = useTyped({
    value,
    isValid,
    onSettled: (settled) => changeQuery({ [NAME]: settled.trim() || undefined }),
  })
  return (
    <TextField
      label="Smallest difference that matters (points)"
      type="number"
      min={0.1}
      max={100}
      step="any"
      placeholder="any"
      className="w-80 max-w-full"
      value={text}
      onChange={setText}
      {...(!isValid(text) && { error: 'Use a number from 0.1 to 100.' })}
    />
  )
}
