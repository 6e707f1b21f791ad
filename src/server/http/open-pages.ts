import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../settings/index.ts'
import type { Sessions } from './sessions.ts'

/** Long enough for a browser to start. */
const PAGE_LIFE_MS = 60_000

const NAME = /^open-[0-9a-f]{32}\.html$/

/**
 * Pages that lead a browser into the app. The program that opens the browser gets the path of such a page and not the
 * link itself: every user of the machine can see the arguments of every program, but only its owner can read the page.
 */
export interface OpenPages {
  /** Writes a page with a link that works once and for a minute. Returns its name. */
  create(): string
  /** Deletes the pages that were not used. */
  close(): void
}

function folderIn(dataFolder: string): string {
  return join(dataFolder, 'open')
}

/** The path of a page; undefined if the name cannot be one. */
export function findOpenPage(dataFolder: string, name: string): string | undefined {
  return NAME.test(name) ? join(folderIn(dataFolder), name) : undefined
}

function writePage(link: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}"><title>Benchmaker</title></head><body><p><a href="${link}">Open Benchmaker</a></p></body></html>\n`
}

/** `createLink` puts a token into the address of the server. */
export function createOpenPages({
  dataFolder,
  sessions,
  createLink,
}: {
  dataFolder: string
  sessions: Sessions
  createLink(token: string): string
}): OpenPages {
  const folder = folderIn(dataFolder)
  // Left behind by a server that was killed; their tokens ended with it.
  rmSync(folder, { recursive: true, force: true })
  return {
    create() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
      const name = `open-${randomBytes(16).toString('hex')}.html`
      const file = join(folder, name)
      const remove = () => rmSync(file, { force: true })
      const timer = setTimeout(remove, PAGE_LIFE_MS)
      timer.unref()
      const token = sessions.createToken({
        lifeMs: PAGE_LIFE_MS,
        onUsed() {
          clearTimeout(timer)
          remove()
        },
      })
      writePrivateFile(file, writePage(createLink(token)))
      return name
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
