import { lookup as lookUp } from 'node:dns'
import { isIP } from 'node:net'
import { ClientError } from '../../contract/index.ts'
import { networkOf } from '../../contract/team/internal-addresses.ts'

// Node's own types for these would make users of the library install @types/node.
interface Address {
  address: string
  family: number
}

interface LookupOptions {
  all?: boolean | undefined
  family?: number | 'IPv4' | 'IPv6' | undefined
}

type LookupReply = (error: Error | null, address: string | Address[], family?: number) => void

/** Resolves a name; tests pass their own. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** Keeps connections for users away from internal addresses. */
export interface ConnectGuard {
  /** Throws if the address, or one that its name stands for now, is internal. */
  check(baseUrl: string): Promise<void>
  /** Throws if the address is an internal one as it is written: sockets do not look those up. */
  checkWritten(url: URL): void
  /** For sockets: connects to an address only if that very address was checked, whatever the name stands for later. */
  lookup(hostname: string, options: LookupOptions, reply: LookupReply): void
}

const resolveName: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    lookUp(hostname, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )

const bareHost = (hostname: string) =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

function refuseAddress(hostname: string, what: string): ClientError {
  return new ClientError(
    'refused',
    `${hostname} belongs to ${what}, which this server does not connect to for users; an admin can allow it with BENCHMAKER_ALLOWED_HOSTS=${hostname}`,
    { retryable: false, unbilled: true },
  )
}

/** `allowedHosts`: names or addresses as users write them, such as a team's own model server. */
export function createConnectGuard({
  allowedHosts = [],
  resolve = resolveName,
}: {
  allowedHosts?: readonly string[]
  resolve?: Resolve
} = {}): ConnectGuard {
  const allowed = new Set(allowedHosts.map(bareHost))

  function checkWritten({ hostname }: URL): void {
    const host = bareHost(hostname)
    if (allowed.has(host)) return
    const what = isIP(host) === 0 ? undefined : networkOf(host)
    if (what !== undefined) throw refuseAddress(host, what)
    // Browsers and resolvers take these for this machine without asking anybody.
    if (host === 'localhost' || host.endsWith('.localhost')) throw refuseAddress(host, 'this machine')
  }

  async function resolveChecked(hostname: string): Promise<Address[]> {
    const addresses = await resolve(hostname)
    if (allowed.has(bareHost(hostname))) return addresses
    for (const { address } of addresses) {
      const what = networkOf(address)
      if (what !== undefined) throw refuseAddress(bareHost(hostname), what)
    }
    return addresses
  }

  return {
    checkWritten,
    async check(baseUrl) {
      const url = new URL(baseUrl)
      checkWritten(url)
      if (isIP(bareHost(url.hostname)) !== 0) return
      await resolveChecked(url.hostname).catch((error: unknown) => {
        // A name that nobody knows yet is checked again when it is used.
        if (error instanceof ClientError) throw error
      })
    },
    lookup(hostname, options, reply) {
      resolveChecked(hostname).then(
        (addresses) => {
          const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family
          const fitting = family ? addresses.filter((one) => one.family === family) : addresses
          const [first] = fitting
          if (!first) return reply(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), [])
          return options.all ? reply(null, fitting) : reply(null, first.address, first.family)
        },
        (error: unknown) => reply(error instanceof Error ? error : new Error(String(error)), []),
      )
    },
  }
}

/** Comma-separated names, with or without a port. */
export function readAllowedHosts(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((host) => host.trim())
    .flatMap((host) => (host === '' ? [] : (URL.parse(`http://${host}`)?.hostname ?? host)))
}
