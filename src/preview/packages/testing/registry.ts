import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

interface Entry {
  path: string
  text?: string
  /** Where a symbolic link leads. */
  link?: string
}

/** A package as its registry has it. */
interface Published {
  name: string
  version?: string
  /** More of its package.json. */
  manifest?: object
  /** Files by their paths in the package. */
  files?: Record<string, string>
  /** What no honest archive has: entries at paths of their own. */
  odd?: Entry[]
  /** The registry gives a checksum of something else. */
  isFalse?: boolean
  /** The archive never arrives. */
  isEndless?: boolean
}

/** The header of one file in the format ustar. */
function writeHeader({ path, link }: Entry, size: number): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(link === undefined ? '0' : '2', 156)
  header.write(link ?? '', 157, 100)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function writeArchive(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = Buffer.from(entry.text ?? '')
    return [writeHeader(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

interface Served {
  version: string
  manifest: object
  archive: Buffer
  package: Published
}

/** A registry of npm on this machine. */
export interface Registry {
  url: string
  publish(...packages: Published[]): void
  /** The paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

export async function startRegistry(): Promise<Registry> {
  const served = new Map<string, Served[]>()
  const asked: string[] = []
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').replace(/[?#].*$/, '')
    asked.push(path)
    const archive = /^\/(.+)\/-\/([^/]+)\.tgz$/.exec(path)
    const versions = served.get(archive?.[1] ?? path.slice(1))
    const found = archive ? versions?.find(({ version }) => archive[2]!.endsWith(`-${version}`)) : undefined
    if (found?.package.isEndless) {
      // A beginning, and no end: the request is left open.
      open.add(response)
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.write(found.archive.subarray(0, 10))
    } else if (found) response.end(found.archive)
    else if (versions && !archive) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(describe(path.slice(1), versions)))
    } else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`

  const describe = (name: string, versions: readonly Served[]): object => ({
    name,
    'dist-tags': { latest: versions.at(-1)!.version },
    versions: Object.fromEntries(
      versions.map(({ version, manifest, archive, package: { isFalse } }) => [
        version,
        {
          ...manifest,
          dist: {
            tarball: `${url}${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`,
            integrity: `sha512-${createHash('sha512')
              .update(isFalse ? 'another archive' : archive)
              .digest('base64')}`,
          },
        },
      ]),
    ),
  })

  return {
    url,
    asked,
    publish(...packages) {
      for (const one of packages) {
        const { name, version = '1.0.0', files = { 'index.js': 'module.exports = {}' }, odd = [] } = one
        const manifest = { name, version, main: 'index.js', ...one.manifest }
        const all = { 'package.json': JSON.stringify(manifest), ...files }
        const entries = Object.entries(all).map(([path, text]) => ({ path: `package/${path}`, text }))
        const versions = served.get(name) ?? []
        served.set(name, [
          ...versions,
          { version, manifest, archive: writeArchive([...entries, ...odd]), package: one },
        ])
      }
    },
    async close() {
      for (const response of open) response.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The variables with which npm uses the registry, and nothing of whoever runs the tests. */
export function npmVariables({ url }: Registry, cache: string): Record<string, string> {
  return {
    npm_config_registry: url,
    npm_config_cache: cache,
    npm_config_userconfig: `${cache}/npmrc`,
    npm_config_globalconfig: `${cache}/globalrc`,
    npm_config_fetch_retries: '0',
    npm_config_offline: 'false',
    // As some people's npm is set up, and this repository's.
    npm_config_omit_lockfile_registry_resolved: 'true',
  }
}
