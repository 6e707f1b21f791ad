import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'

const Theme = createContext({
  theme: 'light',
  resolvedTheme: 'light',
  themes: ['light', 'dark'],
  setTheme: (_theme: string) => undefined as void,
})

export function ThemeProvider({
  children,
  defaultTheme = 'light',
}: {
  children?: ReactNode
  defaultTheme?: string
}): ReactNode {
  const [theme, setTheme] = useState(defaultTheme === 'system' ? 'light' : defaultTheme)
  const value = useMemo(() => {
    document.documentElement.classList.toggle('dark', theme === 'dark')
    return { theme, resolvedTheme: theme, themes: ['light', 'dark'], setTheme }
  }, [theme])
  return <Theme value={value}>{children}</Theme>
}

export const useTheme = () => useContext(Theme)
