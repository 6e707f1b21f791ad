import { create } from 'zustand'

interface ToastState {
  message: string
  /** The same words twice are two messages. */
  number: number
}

export const useToast = create<ToastState>(() => ({ message: '', number: 0 }))

/** Says that something was done, for a few seconds; also to screen readers. */
export function toast(message: string): void {
  useToast.setState(({ number }) => ({ message, number: number + 1 }))
}
