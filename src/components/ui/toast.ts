import { create } from 'zustand'

interface ToastState {
  message: string
  /** Tells two messages with the same text apart. */
  number: number
}

export const useToast = create<ToastState>(() => ({ message: '', number: 0 }))

/** Shows a message for a few seconds and announces it to screen readers. */
export function toast(message: string): void {
  useToast.setState(({ number }) => ({ message, number: number + 1 }))
}
