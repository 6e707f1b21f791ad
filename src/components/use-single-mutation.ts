import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * `useMutation` for what must not happen twice, because it creates something or costs money: ignores calls until the last
 * one is done. A double-click comes before `isPending` can disable the button.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const isBusy = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isBusy.current = false
      return options.onSettled?.(...settled)
    },
  })
  const mutate: typeof mutation.mutate = (...variables) => {
    if (isBusy.current) return
    isBusy.current = true
    mutation.mutate(...variables)
  }
  return { ...mutation, mutate }
}
