import { useEffect } from 'react'
import { useArena } from '../use-arena.ts'

/** While a field has an error, nothing can be started: a mistyped budget must not become no budget. */
export function useFieldError(label: string, error: string | undefined): void {
  const setFieldError = useArena((state) => state.setFieldError)
  useEffect(() => {
    setFieldError(label, error)
    return () => setFieldError(label, undefined)
  }, [label, error, setFieldError])
}
