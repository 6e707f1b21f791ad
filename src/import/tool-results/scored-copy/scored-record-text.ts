const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

interface NewScore {
  score: number | null
  /** True if the record has a `partial_score` already, which the new one replaces. */
  isReplaced: boolean
}

/**
 * Adds `partial_score` as the last member of a record and returns its bytes in pieces. Nothing else changes: key order, numbers and
 * escapes stay as written, because the record is not serialised again.
 */
export function addPartialScore(record: Buffer, { score, isReplaced }: NewScore): Buffer[] {
  // A record that is a list of messages has no place for a score.
  if (record[0] !== 0x7b) return [record]
  const number = writeScore(score)
  if (isReplaced) return replaceMember(record, 'partial_score', number)

  const closing = record.length - 1
  let memberEnd = closing
  while (isBlank(record[memberEnd - 1])) memberEnd -= 1
  if (memberEnd === 1) return [Buffer.from(`{"partial_score": ${number}}`)]
  let firstKey = 1
  while (isBlank(record[firstKey])) firstKey += 1

  const colon = isSpaced(record, firstKey) ? ': ' : ':'
  const opening = record.toString('latin1', 1, firstKey)
  const lead = opening.includes('\n') ? opening : colon === ': ' ? ' ' : ''
  const member = Buffer.from(`,${lead}"partial_score"${colon}${number}`)
  return [record.subarray(0, memberEnd), member, record.subarray(memberEnd)]
}

/** Writes a score as Python does, so that it looks like its neighbours: 1.0, not 1. */
function writeScore(score: number | null): string {
  if (score === null) return 'null'
  // oxlint-disable-next-line house/no-number-format -- A file that other programs read.
  return Number.isInteger(score) ? score.toFixed(1) : String(score)
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isSpaced(record: Buffer, firstKey: number): boolean {
  const colon = endOfText(record, firstKey)
  return record[colon] === COLON && isBlank(record[colon + 1])
}

function endOfText(record: Buffer, start: number): number {
  let at = start + 1
  while (at < record.length && record[at] !== QUOTE) at += record[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function replaceMember(record: Buffer, name: string, value: string): Buffer[] {
  const pieces: Buffer[] = []
  let kept = 0
  for (const { start, end } of findMember(record, name)) {
    pieces.push(record.subarray(kept, start), Buffer.from(value))
    kept = end
  }
  return [...pieces, record.subarray(kept)]
}

/** Finds the values of a top-level member; a key can occur twice. */
function findMember(record: Buffer, name: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let depth = 0
  let key: string | undefined
  let valueStart: number | undefined
  const close = (at: number) => {
    if (valueStart === undefined) return
    let end = at
    while (isBlank(record[end - 1])) end -= 1
    found.push({ start: valueStart, end })
    valueStart = undefined
  }
  for (let at = 0; at < record.length; at += 1) {
    const byte = record[at]!
    if (byte === QUOTE) {
      const end = endOfText(record, at)
      if (depth === 1 && valueStart === undefined) key = String(JSON.parse(record.toString('utf8', at, end)))
      at = end - 1
    } else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) {
      depth -= 1
      if (depth === 0) close(at)
    } else if (depth === 1 && byte === COMMA) close(at)
    else if (depth === 1 && byte === COLON && key === name) {
      valueStart = at + 1
      while (isBlank(record[valueStart])) valueStart += 1
    }
    if (depth === 1 && byte === COMMA) key = undefined
  }
  return found
}
