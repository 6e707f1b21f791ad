import { tryParseJson } from '../../contract/index.ts'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateJson, writePrivateFile } from '../../settings/index.ts'
import { findOpenPage } from './open-pages.ts'

const SECRET = /^[\w-]{43}$/

/** How a second `benchmaker serve` finds the first. */
const announcementSchema = z.object({
  port: z.int().min(1).max(65_535),
  pid: z.int().positive(),
  secret: z.string().regex(SECRET),
})
const replySchema = z.object({ token: z.string().regex(SECRET), page: z.string().default(''), proof: z.string() })

export type Announcement = z.output<typeof announcementSchema>

/** The way into a server that is already running. */
export interface RunningServer {
  url: string
  /** A private page that opens it, for the browser. */
  page?: string
}

const LINK_TIMEOUT_MS = 1500
const MAX_FILE_BYTES = 4096

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'server.json')
}

export function announceServer(dataFolder: string, announcement: Announcement): void {
  writePrivateFile(fileIn(dataFolder), JSON.stringify(announcement))
}

/** Only a file of our own that nobody else can read or write says where the server is. */
function isTrusted(file: string): boolean {
  try {
    const found = lstatSync(file)
    if (!found.isFile() || found.size > MAX_FILE_BYTES) return false
    return process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0)
  } catch {
    return false
  }
}

function readAnnouncement(dataFolder: string): Announcement | undefined {
  const file = fileIn(dataFolder)
  return isTrusted(file) ? announcementSchema.safeParse(readPrivateJson(file)).data : undefined
}

/** Removes the file unless it belongs to another server. */
export function withdrawServer(dataFolder: string, secret: string): void {
  if (readAnnouncement(dataFolder)?.secret === secret) rmSync(fileIn(dataFolder), { force: true })
}

/** False also for a process of another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function prove(secret: string, ...facts: string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(facts)).digest('base64url')
}

function isSameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** What the command line sends: it shows that it knows the secret without showing the secret. */
export function writeLinkRequest(secret: string, challenge: string): string {
  return `Benchmaker ${challenge} ${prove(secret, 'client', challenge)}`
}

/** The challenge of a request from the command line; undefined if it does not know the secret. */
export function readLinkRequest(header: string, secret: string): string | undefined {
  const [scheme, challenge = '', proof = ''] = header.split(' ')
  return scheme === 'Benchmaker' && SECRET.test(challenge) && isSameSecret(proof, prove(secret, 'client', challenge))
    ? challenge
    : undefined
}

/** The reply proves that it comes from the server that wrote the file, whoever listens on its port now. */
export function writeLinkReply(secret: string, challenge: string, token: string, page = ''): Record<string, string> {
  return { token, page, proof: prove(secret, 'server', challenge, token, page) }
}

function askServer({ port, secret }: Announcement, challenge: string, wantsPage: boolean): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/local/link',
        timeout: LINK_TIMEOUT_MS,
        headers: { 'content-type': 'application/json', authorization: writeLinkRequest(secret, challenge) },
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (piece: string) => {
          text += piece
          if (text.length > MAX_FILE_BYTES) outgoing.destroy()
        })
        reply.on('error', () => resolve(''))
        reply.on('close', () => resolve(''))
        reply.on('end', () => resolve(reply.statusCode === 200 ? text : ''))
      },
    )
    // A server that sends a byte now and then would never time out.
    const limit = setTimeout(() => outgoing.destroy(), LINK_TIMEOUT_MS)
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(''))
    outgoing.on('close', () => {
      clearTimeout(limit)
      resolve('')
    })
    outgoing.end(JSON.stringify({ wantsPage }))
  })
}

/** The server that is already running with this data; undefined if there is none. */
export async function findRunningServer(
  dataFolder: string,
  { wantsPage = false }: { wantsPage?: boolean } = {},
): Promise<RunningServer | undefined> {
  const announcement = readAnnouncement(dataFolder)
  if (!announcement || !isAlive(announcement.pid)) return undefined
  const challenge = randomBytes(32).toString('base64url')
  const { data: reply } = replySchema.safeParse(tryParseJson(await askServer(announcement, challenge, wantsPage)))
  if (!reply) return undefined
  const { port, secret } = announcement
  const { token, page: name, proof } = reply
  if (!isSameSecret(proof, prove(secret, 'server', challenge, token, name))) return undefined
  // Put together here: the reply names no address.
  const page = findOpenPage(dataFolder, name)
  return { url: `http://127.0.0.1:${port}/?token=${token}`, ...(page !== undefined && { page }) }
}
