import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateJson, writePrivateFile } from '../../settings/index.ts'

/** How a second `benchmaker serve` finds the first. */
const announcementSchema = z.object({ port: z.number(), pid: z.number(), secret: z.string() })
const replySchema = z.object({ url: z.string() })

export type Announcement = z.output<typeof announcementSchema>

const LINK_TIMEOUT_MS = 1500

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'server.json')
}

export function announceServer(dataFolder: string, announcement: Announcement): void {
  writePrivateFile(fileIn(dataFolder), JSON.stringify(announcement))
}

function readAnnouncement(dataFolder: string): Announcement | undefined {
  const parsed = announcementSchema.safeParse(readPrivateJson(fileIn(dataFolder)))
  return parsed.success ? parsed.data : undefined
}

/** Removes the file unless it belongs to another server. */
export function withdrawServer(dataFolder: string, secret: string): void {
  if (readAnnouncement(dataFolder)?.secret === secret) rmSync(fileIn(dataFolder), { force: true })
}

function requestLink({ port, secret }: Announcement): Promise<string | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/local/link',
        timeout: LINK_TIMEOUT_MS,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (piece: string) => (text += piece.slice(0, 10_000 - text.length)))
        reply.on('error', () => resolve(undefined))
        reply.on('end', () => {
          const parsed = replySchema.safeParse(parseJson(text))
          resolve(reply.statusCode === 200 && parsed.success ? parsed.data.url : undefined)
        })
      },
    )
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(undefined))
    outgoing.end('{}')
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A link to the server that is already running with this data; undefined if there is none. */
export async function findRunningServer(dataFolder: string): Promise<string | undefined> {
  const announcement = readAnnouncement(dataFolder)
  return announcement && requestLink(announcement)
}
