import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { formatBytes, messageOf } from '../../contract/index.ts'
import { resolveModule } from '../previews-package.ts'
import type { BundleJob, BundleReply } from './bundle-process.ts'
import { bundleFolder, currentFolder } from './installed.ts'

/** Far more than any package takes. */
const DEADLINE_MS = 60_000
const MOST_BYTES = 20 * 1024 ** 2
const HEAP_MB = 1024

const bundleSchema = z.object({
  /** Vendored libraries that must be there before it. */
  needs: z.array(z.string()),
  /** What of it could not be bundled, with the reason. */
  failed: z.record(z.string(), z.string()),
  lacks: z.array(z.string()),
})

/** What is known of the bundle of some installed packages. Its code is beside it, `<name>.js`. */
export type PackageBundle = z.output<typeof bundleSchema>

const replySchema = z.union([bundleSchema.extend({ code: z.string() }), z.object({ problem: z.string() })])

export async function readBundle(folder: string, name: string): Promise<PackageBundle | undefined> {
  const text = await readFile(join(bundleFolder(folder), `${name}.json`), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : bundleSchema.parse(JSON.parse(text))
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  await writeFile(temporary, text, { flag: 'wx' })
  await rename(temporary, path)
}

function runBundler(job: BundleJob, deadlineMs: number): Promise<BundleReply> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(`./bundle-process.${extension}`, import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: { ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      settle()
    }
    const timer = setTimeout(
      () => finish(() => reject(new Error(`it takes longer than ${deadlineMs / 1000} s to bundle`))),
      deadlineMs,
    )
    child.on('message', (message) => {
      const reply = replySchema.parse(message)
      finish(() => ('problem' in reply ? reject(new Error(reply.problem)) : resolve(reply)))
    })
    child.on('error', (error) => finish(() => reject(error)))
    child.on('exit', () => finish(() => reject(new Error('the bundler ended'))))
    child.send(job)
  })
}

const inProgress = new Map<string, Promise<PackageBundle>>()

/** Bundles what a page imports of the installed packages, so that it is there under this name. Never throws for bad code. */
export function makeBundle(
  { name, specifiers }: { name: string; specifiers: readonly string[] },
  { folder, previews }: { folder: string; previews: string | undefined },
  deadlineMs = DEADLINE_MS,
): Promise<PackageBundle> {
  const path = join(bundleFolder(folder), name)
  const make = async (): Promise<PackageBundle> => {
    const fail = (reason: string): PackageBundle => ({
      needs: [],
      lacks: [],
      failed: Object.fromEntries(specifiers.map((specifier) => [specifier, reason])),
    })
    const known = await readBundle(folder, name)
    if (known) return known
    const rolldown = resolveModule('rolldown', [import.meta.url, previews && join(previews, 'vendor')])
    if (rolldown === undefined) return fail('the package rolldown is not beside benchmaker-previews')
    try {
      const job = { rolldown, folder: currentFolder(folder), specifiers: [...specifiers] }
      const { code, ...made } = await runBundler(job, deadlineMs)
      const bundle = Buffer.byteLength(code) > MOST_BYTES ? fail(`it is larger than ${formatBytes(MOST_BYTES)}`) : made
      await mkdir(bundleFolder(folder), { recursive: true })
      await writeWhole(`${path}.js`, code)
      await writeWhole(`${path}.json`, JSON.stringify(bundle))
      return bundle
    } catch (error) {
      // Not kept: a machine may be busy.
      return fail(messageOf(error))
    }
  }
  const running = inProgress.get(path) ?? make().finally(() => inProgress.delete(path))
  inProgress.set(path, running)
  return running
}
