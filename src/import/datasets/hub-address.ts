import { InputError } from '../../contract/index.ts'

/** `hf://datasets/OWNER/NAME[/CONFIG][@SPLIT]` */
export function isHubAddress(path: string): boolean {
  return /^hf:\/\//i.test(path)
}

export interface HubAddress {
  name: string
  config?: string | undefined
  split?: string | undefined
}

const FORM = 'hf://datasets/OWNER/NAME[/CONFIG][@SPLIT]'

export function parseHubAddress(address: string): HubAddress {
  const found = /^hf:\/\/datasets\/([\w.-]+(?:\/[\w.-]+)?)(?:\/([^/@]+))?(?:@([^/@]+))?$/i.exec(address)
  const [, name, config, split] = found ?? []
  if (name === undefined || /(?:^|\/)\.\.?(?:\/|$)/.test([name, config, split].join('/')))
    throw new InputError(`${address}: is not the address of a dataset; write ${FORM}`)
  return { name, config, split }
}
