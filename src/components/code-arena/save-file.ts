import { toast } from '../ui/toast.ts'

/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`${name} copied.`)
  } catch {
    toast(`${name} was not copied: the browser blocked it.`)
  }
}
