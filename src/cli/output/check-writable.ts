import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InputError } from '../../contract/index.ts'

function describe({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return code === 'EROFS' ? 'the disk is read-only' : message
}

/** Refuses a file that cannot be written, before any work: its folder must exist and be writable. */
export async function checkWritable(file: string): Promise<void> {
  const folder = dirname(file)
  const found = await stat(folder).catch(() => undefined)
  if (!found)
    throw new InputError(`${file} cannot be written: there is no folder ${folder}; create it first, or choose another`)
  if (!found.isDirectory()) throw new InputError(`${file} cannot be written: ${folder} is not a folder`)
  const target = await stat(file).catch(() => undefined)
  if (target?.isDirectory()) throw new InputError(`${file} cannot be written: it is a folder; choose a file in it`)
  await access(target ? file : folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`${file} cannot be written: ${describe(error)}`, { cause: error })
  })
}
