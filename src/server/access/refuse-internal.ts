import { ClientError, InputError } from '../../contract/index.ts'
import type { ServerContext } from '../context.ts'

/** Refuses an address that users must not use, in words. What is no address at all is refused where it is opened. */
export async function refuseInternal(
  baseUrl: string | undefined,
  { checkAddress }: Pick<ServerContext, 'checkAddress'>,
): Promise<void> {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return
  await checkAddress(baseUrl).catch((error: unknown) => {
    throw error instanceof ClientError ? new InputError(error.message, { cause: error }) : error
  })
}
