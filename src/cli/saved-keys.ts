import { createConnectGuard, readAllowedHosts, type ConnectGuard } from '../providers/index.ts'
import { openKeyStore } from '../settings/file-key-store.ts'
import type { KeyStore } from '../settings/key-store.ts'
import { findOsKeyStore } from '../settings/os-key-store.ts'

/** On a team server keys belong to the server, and every process with the secret key can use them. */
export function keepsKeysInDatabase(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['BENCHMAKER_SECRET_KEY']?.trim()) || env['BENCHMAKER_TEAM'] === 'on'
}

/** On a team server, and for runs of its users elsewhere, endpoints must not lead into the team's own network. */
export function openConnectGuard(env: NodeJS.ProcessEnv, { isForUser = false } = {}): ConnectGuard | undefined {
  if (env['BENCHMAKER_TEAM'] !== 'on' && !isForUser) return undefined
  return createConnectGuard({ allowedHosts: readAllowedHosts(env['BENCHMAKER_ALLOWED_HOSTS']) })
}

/** Opens the keys saved in the web app's settings on this machine. */
export function openKeys(dataFolder: string, env: NodeJS.ProcessEnv): KeyStore {
  return openKeyStore({ dataFolder, os: findOsKeyStore(env, dataFolder) })
}

/** Warns of each thing once. */
export function createWarner({
  warn,
}: {
  warn?: ((warning: string) => void) | undefined
}): (warning: string | undefined) => void {
  const warned = new Set<string>()
  return (warning) => {
    if (warning === undefined || warned.has(warning)) return
    warned.add(warning)
    warn?.(warning)
  }
}
