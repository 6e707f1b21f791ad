import { decodeAddressPart } from '../contract/index.ts'
import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from 'react'

/** Everything has an address: the screen, the selection, the filters. */

/** The values of the `:name` parts of a screen's path. */
export interface ScreenProps {
  params: Record<string, string>
}

const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', notify)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('popstate', notify)
  }
}

interface NavigateOptions {
  /** Adds no history entry, for filters that change while typing. */
  replace?: boolean
  /** By a keyboard shortcut: see `isAfterShortcut`. */
  isShortcut?: boolean
}

/** Goes to an address of the app. */
export function navigate(address: string, options: NavigateOptions = {}): void {
  if (options.replace) window.history.replaceState(window.history.state, '', address)
  else window.history.pushState(options.isShortcut ? SHORTCUT : null, '', address)
  notify()
  if (!options.replace) window.scrollTo(0, 0)
}

const SHORTCUT = 'shortcut'

/** True if a shortcut led here: then no field may take the focus by itself, or the next shortcut would be typed into it. */
export function isAfterShortcut(): boolean {
  return window.history.state === SHORTCUT
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname)
}

/** The query of the address and a function to change it: an empty value removes the parameter. */
export function useAddress(): [URLSearchParams, (changes: Record<string, string | undefined>) => void] {
  const search = useSyncExternalStore(subscribe, () => window.location.search)
  const change = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    navigate(`${window.location.pathname}${text === '' ? '' : `?${text}`}`, { replace: true })
  }
  return [new URLSearchParams(search), change]
}

/** `matchPath('/results/:selection', path)` returns `{ selection }`, or undefined if the path does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [expected, actual] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')]
  if (expected.length !== actual.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const value = actual[index]!
    if (part.startsWith(':')) {
      if (value === '') return undefined
      values[part.slice(1)] = decodeAddressPart(value)
    } else if (part !== value) return undefined
  }
  return values
}

function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

export function Link({
  to,
  onClick,
  children,
  ...rest
}: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || !isPlainClick(event) || rest.target === '_blank') return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
