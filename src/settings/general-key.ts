import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError, vendors } from '../contract/index.ts'
import { originOf } from './addresses.ts'
import { readPrivateJson, writePrivateFile } from './private-file.ts'

const VARIABLE = 'BENCHMAKER_API_KEY'
const MAX_REMEMBERED = 1000

type Environment = Readonly<Record<string, string | undefined>>

/** Not the keys and addresses themselves: only whether this key was given for this address. */
const fileSchema = z.object({ given: z.array(z.string()) })

export interface GeneralKey {
  /**
   * The environment for clients of this address. Throws `InputError` if the address comes from the database alone: who
   * can change the database must not choose where the key goes.
   */
  environmentFor(address: string): Environment
  /** Remembers that the user gave the key for the address that he named, so that `resume` can use both. */
  rememberNamed(): void
}

function findOrigin(address: string): string | undefined {
  const origin = originOf(address)
  // Vendors get their own keys.
  return vendors.some((vendor) => 'origin' in vendor && vendor.origin === origin) ? undefined : origin
}

/** `BENCHMAKER_API_KEY` belongs to the addresses that the user named himself, with `--base-url`. */
export function openGeneralKey({
  environment,
  dataFolder,
  named,
}: {
  environment: Environment
  dataFolder: string
  /** The address of `--base-url`. */
  named?: string | undefined
}): GeneralKey {
  const key = environment[VARIABLE]?.trim()
  const file = join(dataFolder, 'key-addresses.json')
  const markOf = (origin: string) => createHash('sha256').update(`${origin}\n${key}`).digest('base64url')
  const readMarks = () => fileSchema.safeParse(readPrivateJson(file)).data?.given ?? []

  return {
    environmentFor(address) {
      const origin = findOrigin(address)
      if (!key || origin === undefined) return environment
      if ((named !== undefined && origin === originOf(named)) || readMarks().includes(markOf(origin)))
        return environment
      throw new InputError(
        `the address ${origin} is known only from the database, and ${VARIABLE} was never given for it: run benchmaker resume with --base-url ${address} to send the key there, or unset ${VARIABLE} to send none`,
      )
    },
    rememberNamed() {
      const origin = named === undefined ? undefined : findOrigin(named)
      if (!key || origin === undefined) return
      const marks = readMarks()
      const mark = markOf(origin)
      if (marks.includes(mark)) return
      try {
        writePrivateFile(file, JSON.stringify({ given: [...marks, mark].slice(-MAX_REMEMBERED) }))
      } catch {
        // Then `resume` needs --base-url again, and says so.
      }
    },
  }
}
