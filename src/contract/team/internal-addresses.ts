/** Network ranges that are not the public internet: a team server does not connect to them for a user. */

interface Range {
  prefix: readonly number[]
  bits: number
  name: string
}

const range = (address: string, bits: number, name: string): Range => ({ prefix: parseAddress(address)!, bits, name })

/** From IANA's registries of special-purpose addresses. */
let ranges: Range[] | undefined
const listRanges = (): Range[] =>
  (ranges ??= [
    range('0.0.0.0', 8, 'this machine'),
    range('10.0.0.0', 8, 'a private network'),
    range('100.64.0.0', 10, 'a carrier’s network'),
    range('127.0.0.0', 8, 'this machine'),
    range('169.254.0.0', 16, 'the local link, where clouds keep their metadata'),
    range('172.16.0.0', 12, 'a private network'),
    range('192.0.0.0', 24, 'a reserved network'),
    range('192.0.2.0', 24, 'a network for examples'),
    range('192.88.99.0', 24, 'a reserved network'),
    range('192.168.0.0', 16, 'a private network'),
    range('198.18.0.0', 15, 'a network for measurements'),
    range('198.51.100.0', 24, 'a network for examples'),
    range('203.0.113.0', 24, 'a network for examples'),
    range('224.0.0.0', 4, 'multicast'),
    range('240.0.0.0', 4, 'a reserved network'),
    range('::', 128, 'this machine'),
    range('::1', 128, 'this machine'),
    range('64:ff9b:1::', 48, 'a private network'),
    range('100::', 64, 'a reserved network'),
    range('2001::', 23, 'a reserved network'),
    range('2001:db8::', 32, 'a network for examples'),
    range('3fff::', 20, 'a network for examples'),
    range('5f00::', 16, 'a reserved network'),
    range('fc00::', 7, 'a private network'),
    range('fe80::', 10, 'the local link'),
    range('fec0::', 10, 'a private network'),
    range('ff00::', 8, 'multicast'),
  ])

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return parts.map(Number)
}

/** The bytes of an address: 4 or 16. Undefined for anything but one address in its usual form. */
export function parseAddress(text: string): number[] | undefined {
  if (!text.includes(':')) return parseIpv4(text)
  const [address = ''] = text.split('%')
  const dotted = /^(.*:)([\d.]+)$/.exec(address)
  const tail = dotted?.[2]?.includes('.') ? parseIpv4(dotted[2]) : []
  if (!tail) return undefined
  const hex = tail.length > 0 ? `${dotted![1]}${toGroup(tail, 0)}:${toGroup(tail, 2)}` : address
  const halves = hex.split('::')
  if (halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...Array.from({ length: halves.length === 1 ? 0 : missing }, () => '0'), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
}

const toGroup = (bytes: readonly number[], at: number) => ((bytes[at]! << 8) | bytes[at + 1]!).toString(16)

function isWithin(bytes: readonly number[], { prefix, bits }: Range): boolean {
  if (bytes.length !== prefix.length) return false
  return bytes.every((byte, index) => {
    const left = Math.min(8, Math.max(0, bits - index * 8))
    const mask = (0xff << (8 - left)) & 0xff
    return (byte & mask) === (prefix[index]! & mask)
  })
}

/** The IPv4 address inside an IPv6 one: mapped, compatible, translated (NAT64) or by 6to4. */
function findEmbedded(bytes: readonly number[]): number[] | undefined {
  const startsWith = (...start: number[]) => start.every((byte, index) => bytes[index] === byte)
  const zeros = (length: number) => Array.from({ length }, () => 0)
  if (startsWith(...zeros(10), 0xff, 0xff) || startsWith(...zeros(12))) return bytes.slice(12)
  if (startsWith(0, 0x64, 0xff, 0x9b, ...zeros(8))) return bytes.slice(12)
  if (startsWith(...zeros(8), 0xff, 0xff, 0, 0)) return bytes.slice(12)
  return startsWith(0x20, 0x02) ? bytes.slice(2, 6) : undefined
}

/** What an internal address belongs to, in words; undefined for a public one. Unreadable addresses are internal. */
export function networkOf(address: string): string | undefined {
  const bytes = parseAddress(address)
  if (!bytes) return 'an unknown network'
  const own = listRanges().find((one) => isWithin(bytes, one))
  if (own) return own.name
  const embedded = bytes.length === 16 ? findEmbedded(bytes) : undefined
  return embedded && listRanges().find((one) => isWithin(embedded, one))?.name
}
