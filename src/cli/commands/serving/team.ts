import { INVITATION_DAYS, invite, writeInvitationLink } from '../../../access/index.ts'
import { InputError, roleSchema } from '../../../contract/index.ts'
import { rotateSecretKey } from '../../../settings/database-key-store.ts'
import { openData } from '../../compose.ts'
import { findDataFolder } from '../../data-folder.ts'
import type { Terminal } from '../../output/terminal.ts'

export interface InviteOptions {
  role: string
  url?: string
  data?: string
  json?: boolean
}

const DEFAULT_URL = 'http://127.0.0.1:4747'

/** `benchmaker invite LOGIN`: whoever can use the database may make accounts, and so the first admin. */
export async function inviteCommand(
  login: string,
  options: InviteOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const role = roleSchema.safeParse(options.role).data
  if (!role) throw new InputError(`--role ${options.role}: use one of viewer, runner, admin`)
  const address = options.url ?? DEFAULT_URL
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InputError(`--url ${address} is not the address of the server, such as https://bench.example.org`)
  const storage = await openData(findDataFolder(options.data, env), env)
  try {
    const now = Date.now
    const { token, invitation } = await invite({ login, role }, { storage, now })
    await storage.access.addActivity({
      at: now(),
      action: 'person invited',
      object: `${invitation.login} as ${role}`,
      detail: 'in the terminal',
    })
    const link = writeInvitationLink(url.origin, token)
    terminal.stdout.write(
      options.json
        ? `${JSON.stringify({ login: invitation.login, role, link, endsAt: invitation.endsAt })}\n`
        : `${link}\n`,
    )
    if (!options.json)
      terminal.stderr.write(
        `Send this link to ${invitation.login}: it makes an account with the role ${role}, once, within ${INVITATION_DAYS} days.\n`,
      )
    return 0
  } finally {
    await storage.close()
  }
}

/** `benchmaker rotate-key` */
export async function rotateKeyCommand(
  options: { data?: string; json?: boolean },
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const storage = await openData(findDataFolder(options.data, env), env)
  try {
    const { rotated, total } = await rotateSecretKey(storage, env)
    if (rotated > 0)
      await storage.access.addActivity({ at: Date.now(), action: 'secret key rotated', detail: 'in the terminal' })
    terminal.stdout.write(
      options.json
        ? `${JSON.stringify({ rotated, total })}\n`
        : `${rotated} of ${total} stored keys were encrypted again with BENCHMAKER_SECRET_KEY.\n`,
    )
    return 0
  } finally {
    await storage.close()
  }
}
