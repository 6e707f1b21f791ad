/**
 * Chromium refuses its sandbox to root. So root's browser runs as `nobody`, who has the sandbox through user namespaces and
 * none of root's rights.
 */
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NOBODY = 65534

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A program that starts the browser as `nobody`, with a profile that `nobody` can write. */
export async function makeUnprivileged(
  executablePath: string,
): Promise<{ executablePath: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-browser-'))
  await chmod(folder, 0o711)
  const profile = join(folder, 'profile')
  await mkdir(profile, { mode: 0o700 })
  await chown(profile, NOBODY, NOBODY)
  const start = join(folder, 'start')
  // The last of several --user-data-dir counts; the one from Playwright belongs to root.
  const script = `#!/bin/sh
cd ${quote(profile)} || exit 1
HOME=${quote(profile)}; export HOME
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups -- ${quote(executablePath)} "$@" --user-data-dir=${quote(profile)}
`
  await writeFile(start, script, { mode: 0o700, flag: 'wx' })
  return { executablePath: start, remove: () => rm(folder, { recursive: true, force: true }) }
}
