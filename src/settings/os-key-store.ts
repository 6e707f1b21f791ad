import { execFile, execFileSync, type ExecFileException } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The operating system's secret store, used through its command-line tool. */
export interface OsKeyStore {
  description: string
  /** Undefined when the store has no such key or cannot be reached. */
  read(name: string): string | undefined
  /** False when the key could not be saved. */
  write(name: string, key: string): Promise<boolean>
  remove(name: string): Promise<void>
}

/** A locked store prompts the user, who may be away; without a limit the call would hang. */
const TIMEOUT_MS = 5000
const SERVICE = 'benchmaker'

interface Command {
  program: string
  description: string
  read(account: string): string[]
  write(account: string, key: string): { args: string[]; input: string }
  remove(account: string): string[]
}

/** Keys go in through standard input, never as an argument: every process can see arguments. */
const COMMANDS: Partial<Record<NodeJS.Platform, Command>> = {
  linux: {
    program: 'secret-tool',
    description: "this desktop's key store (Secret Service)",
    read: (account) => ['lookup', 'service', SERVICE, 'account', account],
    write: (account, key) => ({
      args: ['store', '--label', `Benchmaker: ${account}`, 'service', SERVICE, 'account', account],
      input: key,
    }),
    remove: (account) => ['clear', 'service', SERVICE, 'account', account],
  },
  darwin: {
    program: 'security',
    description: "this Mac's keychain",
    read: (account) => ['find-generic-password', '-s', SERVICE, '-a', account, '-w'],
    write: (account, key) => ({
      args: ['-i'],
      input: `add-generic-password -U -s ${SERVICE} -a "${account}" -w "${key.replaceAll(/["\\]/g, '\\$&')}"\n`,
    }),
    remove: (account) => ['delete-generic-password', '-s', SERVICE, '-a', account],
  },
}

function isInPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      if (folder === '') return false
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<boolean> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: TIMEOUT_MS, env }, (error: ExecFileException | null) =>
      resolve(error === null),
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/**
 * Undefined when the system has none or `BENCHMAKER_KEY_STORE=file` turns it off. `folder` keeps the keys of one data
 * folder apart from those of another.
 */
export function findOsKeyStore(
  env: NodeJS.ProcessEnv,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): OsKeyStore | undefined {
  const command = COMMANDS[platform]
  if (!command || env['BENCHMAKER_KEY_STORE'] === 'file' || !isInPath(command.program, env['PATH'] ?? ''))
    return undefined
  const accountOf = (name: string) => `${name} ${folder}`
  const store: OsKeyStore = {
    description: command.description,
    read(name) {
      try {
        const found = execFileSync(command.program, command.read(accountOf(name)), {
          timeout: TIMEOUT_MS,
          encoding: 'utf8',
          env,
          stdio: ['ignore', 'pipe', 'ignore'],
        })
        return found.replace(/\n$/, '') || undefined
      } catch {
        return undefined
      }
    },
    async write(name, key) {
      const { args, input } = command.write(accountOf(name), key)
      // Some stores report success without saving, so the key is read back.
      return (await run(command.program, args, env, input)) && store.read(name) === key
    },
    async remove(name) {
      await run(command.program, command.remove(accountOf(name)), env)
    },
  }
  return store
}
