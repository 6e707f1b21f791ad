import { useEffect, useState } from 'react'
import { useAddress } from '../router.tsx'
import { TextField } from '../ui/Field.tsx'

/** The name in the address; the server takes the same points. */
const NAME = 'difference'

function isValid(text: string): boolean {
  return text.trim() === '' || (Number(text) >= 0.1 && Number(text) <= 100)
}

/** The difference worth detecting, in points, from the address; undefined for the observed one. */
export function readSmallestDifference(address: URLSearchParams): string | undefined {
  const text = address.get(NAME) ?? ''
  return text.trim() === '' || !isValid(text) ? undefined : text.trim()
}

/** Sets the difference that plans are made for; it is in the address, so that a reload shows the same. */
export function SmallestDifference() {
  const [address, changeQuery] = useAddress()
  const value = readSmallestDifference(address) ?? ''
  const [typed, setTyped] = useState({ text: value, from: value })
  // The address changed (Back), so it wins.
  if (typed.from !== value) setTyped({ text: value, from: value })
  useEffect(() => {
    if (typed.text.trim() === value || !isValid(typed.text)) return undefined
    const timer = window.setTimeout(() => changeQuery({ [NAME]: typed.text.trim() || undefined }), 300)
    return () => window.clearTimeout(timer)
  }, [typed, value, changeQuery])
  return (
    <TextField
      label="Smallest difference worth detecting (points)"
      type="number"
      min={0.1}
      max={100}
      step="any"
      placeholder="observed"
      className="w-80 max-w-full"
      value={typed.text}
      onChange={(event) => setTyped({ text: event.target.value, from: value })}
      {...(!isValid(typed.text) && { error: 'Use a number from 0.1 to 100.' })}
    />
  )
}
