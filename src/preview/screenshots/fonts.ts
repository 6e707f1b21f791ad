/** Fonts for the browser that takes pictures: emoji and the scripts that a server has no fonts for. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findBrowserFolder } from './unpack-chromium.ts'

const SETTINGS = 'fonts.conf'

async function canAllEnter(folder: string): Promise<boolean> {
  for (let path = folder; path !== dirname(path); path = dirname(path))
    if (((await stat(path)).mode & 0o001) === 0) return false
  return true
}

/** Copies the fonts where root's browser, which runs as another user, can read them. */
async function copyForAll(folder: string): Promise<string> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.sort().map(async (name) => `${name} ${(await stat(join(folder, name))).size}`))
  const digest = createHash('sha256').update(sizes.join('\n')).digest('hex').slice(0, 16)
  const copy = join(findBrowserFolder(), `fonts-${digest}`)
  if (existsSync(join(copy, SETTINGS))) return copy
  const unfinished = `${copy}.new-${randomBytes(6).toString('hex')}`
  await mkdir(unfinished, { recursive: true, mode: 0o755 })
  try {
    await cp(folder, unfinished, { recursive: true })
    await rename(unfinished, copy).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return copy
}

/** Variables that give Chromium on Linux the fonts; none elsewhere, or if the user has chosen settings of their own. */
export async function fontVariables(
  env: NodeJS.ProcessEnv,
  previews: string | undefined,
): Promise<Record<string, string>> {
  const folder = join(previews ?? '', 'fonts')
  const areThere = previews !== undefined && existsSync(join(folder, SETTINGS))
  if (process.platform !== 'linux' || !areThere || env['FONTCONFIG_FILE'] || env['FONTCONFIG_PATH']) return {}
  const isRoot = process.getuid?.() === 0
  const readable = isRoot && !(await canAllEnter(folder)) ? await copyForAll(folder).catch(() => folder) : folder
  return { FONTCONFIG_FILE: join(readable, SETTINGS) }
}
