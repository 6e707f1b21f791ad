export type Theme = 'system' | 'light' | 'dark'

/** The same key is in `public/theme.js`, which sets the theme before the first paint. */
const KEY = 'benchmaker-theme'

export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    window.localStorage.removeItem(KEY)
    delete document.documentElement.dataset['theme']
  } else {
    window.localStorage.setItem(KEY, theme)
    document.documentElement.dataset['theme'] = theme
  }
}
