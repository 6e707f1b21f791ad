import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { keepSessionKey } from './session-key.ts'
import { SESSION_KEY_QUERY } from '../contract/index.ts'
import './style.css'

/** Takes the key out of the address that a sign-in leads to. */
function takeSessionKey(): void {
  const { hash, pathname, search } = window.location
  const key = new URLSearchParams(hash.slice(1)).get(SESSION_KEY_QUERY)
  if (key === null) return
  keepSessionKey(key)
  window.history.replaceState(window.history.state, '', pathname + search)
}

takeSessionKey()
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
