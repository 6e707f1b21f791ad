/** three, without its warnings about names that changed since the version that a page was written for. */
import { setConsoleFunction } from 'three'

export * from 'three'

setConsoleFunction((type: 'log' | 'warn' | 'error', message: string, ...values: unknown[]) => {
  if (type === 'warn' && /deprecated|renamed|has been removed|no longer/i.test(message)) return
  console[type](message, ...values)
})
