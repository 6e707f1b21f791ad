import { InputError } from '../contract/index.ts'

/** Why `model#host` is refused. */
export function noRouter(provider: string, pinned: string): InputError {
  return new InputError(
    `${pinned} names a host, and ${provider} is no router that could choose one; leave out what follows the #`,
  )
}
