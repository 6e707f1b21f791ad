/** Tailwind's browser build, plus the settings object of version 3. */
import { translateConfig } from './tailwind-config.ts'
import '@tailwindcss/browser'

const style = document.createElement('style')
style.type = 'text/tailwindcss'

let config: unknown
const tailwind = {
  get config() {
    return config
  },
  set config(value: unknown) {
    config = value
    style.textContent = translateConfig(value)
    if (!style.isConnected) document.head.append(style)
  },
}

Object.defineProperty(window, 'tailwind', { configurable: true, value: tailwind })
