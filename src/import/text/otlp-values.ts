import { isJsonObject } from '../../contract/index.ts'
import { field, idField, listField, textField } from '../tool-results/formats/fields.ts'

type Attributes = Record<string, unknown>

const readNumber = (value: unknown): unknown => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : value
}

/** Attributes as OTLP writes them in JSON: a list of keys and values, or a plain object. */
export function readAttributes(list: unknown): Attributes {
  if (isJsonObject(list)) return list
  return Object.fromEntries(
    (Array.isArray(list) ? list : []).flatMap((attribute) => {
      const key = textField(attribute, 'key')
      return key === undefined ? [] : [[key, readValue(field(attribute, 'value'))]]
    }),
  )
}

/** `{ stringValue }`, `{ intValue: "12" }`, `{ arrayValue: { values } }`, `{ kvlistValue: { values } }`. */
function readValue(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  if ('intValue' in value) return readNumber(value['intValue'])
  if ('arrayValue' in value) return (listField(value['arrayValue'], 'values') ?? []).map(readValue)
  if ('kvlistValue' in value) return readAttributes(field(value['kvlistValue'], 'values'))
  return value['stringValue'] ?? value['doubleValue'] ?? value['boolValue'] ?? value['bytesValue'] ?? undefined
}

export interface LogRecord {
  name: string | undefined
  span: string | undefined
  time: string
  attributes: Attributes
  body: unknown
  /** What is said of everything that the same source wrote. */
  resource: Attributes
}

/** The log records of a document with `resourceLogs`, or of a list of such. */
export function readLogRecords(document: unknown): LogRecord[] {
  if (Array.isArray(document)) return document.flatMap(readLogRecords)
  return (listField(document, 'resourceLogs') ?? []).flatMap((source) => {
    const resource = readAttributes(field(field(source, 'resource'), 'attributes'))
    const records = (listField(source, 'scopeLogs') ?? []).flatMap((scope) => listField(scope, 'logRecords') ?? [])
    return records.map((record) => {
      const attributes = readAttributes(field(record, 'attributes'))
      const named = field(record, 'eventName') ?? attributes['event.name']
      return {
        name: typeof named === 'string' ? named : undefined,
        span: idField(record, 'spanId'),
        time: idField(record, 'timeUnixNano', 'observedTimeUnixNano') ?? '',
        attributes,
        body: readValue(field(record, 'body')),
        resource,
      }
    })
  })
}
