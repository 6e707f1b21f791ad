export type Theme = 'system' | 'light' | 'dark'

const KEY = 'benchmaker-theme'

export function readTheme(): Theme {
  const stored = window.localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

/** Sets the page's theme from what was chosen, or from the system, and follows the system's changes. */
export function applyTheme(theme: Theme = readTheme()): void {
  const isDark = theme === 'dark' || (theme === 'system' && systemDark.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, theme)
  applyTheme(theme)
}

systemDark.addEventListener('change', () => applyTheme())
