import { toast } from '../toast.ts'

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Downloads a text, or bytes, as a file. */
export function saveFile(name: string, content: string | Uint8Array, type = 'text/plain'): void {
  const blob =
    typeof content === 'string'
      ? new Blob([content], { type: `${type};charset=utf-8` })
      : new Blob([new Uint8Array(content)], { type })
  saveBlob(name, blob)
}

export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${name} copied.`)
  } catch {
    toast(`${name} was not copied: the browser blocked it.`)
  }
}
