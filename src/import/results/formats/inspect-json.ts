import { splitJson } from '../../text/split-json.ts'
import type { Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { listTopKeys } from '../top-keys.ts'
import {
  findReferences,
  HEADER_FIELDS,
  readInspectHeader,
  readInspectSample,
  resolveReferences,
  SAMPLE_FIELDS,
  warnOfInvalid,
} from './inspect-log.ts'

interface RawSample {
  fields: Fields
  place: string
}

/** Collects the wanted fields of a sample as they arrive; attachments only if something before them refers to them. */
export function createSampleCollector() {
  let fields: [string, unknown][] = []
  let wanted = new Set<string>()
  let attachments = new Map<string, string>()
  return {
    decideField: (key: string, inner?: string): 'take' | 'enter' | 'skip' => {
      if (key === 'attachments') return inner === undefined ? 'enter' : wanted.has(inner) ? 'take' : 'skip'
      return SAMPLE_FIELDS.has(key) ? 'take' : 'skip'
    },
    addField(key: string, value: unknown): void {
      fields.push([key, value])
      findReferences(value, wanted)
    },
    addAttachment(name: string, value: unknown): void {
      if (typeof value === 'string') attachments.set(name, value)
    },
    /** The references that nothing answered, for logs that keep attachments elsewhere. */
    missing: () => [...wanted].filter((name) => !attachments.has(name)),
    finish(): Fields {
      const sample = Object.fromEntries(fields.map(([key, value]) => [key, resolveReferences(value, attachments)]))
      fields = []
      wanted = new Set()
      attachments = new Map()
      return sample
    },
  }
}

async function readLog(file: ResultsFile): Promise<{ header: Fields; samples: RawSample[] }> {
  const header: [string, unknown][] = []
  const samples: RawSample[] = []
  const collector = createSampleCollector()
  const parts = splitJson(file.read(), {
    name: file.name,
    decide(path) {
      const [first, , key, inner] = path
      if (path.length === 0) return 'enter'
      if (path.length === 1) return first === 'samples' ? 'enter' : HEADER_FIELDS.has(first!) ? 'take' : 'skip'
      return path.length === 2 ? 'enter' : collector.decideField(key!, inner)
    },
  })
  for await (const part of parts) {
    const [first, , key, inner] = part.path
    if (part.kind === 'value') {
      if (part.path.length === 1) header.push([first!, part.value])
      else if (inner === undefined) collector.addField(key!, part.value)
      else collector.addAttachment(inner, part.value)
    } else if (part.path.length === 1 && first === 'samples') continue
    else if (part.path.length === 2)
      samples.push({ fields: collector.finish(), place: `${file.name}: sample ${samples.length + 1}` })
  }
  return { header: Object.fromEntries(header), samples }
}

/** Inspect AI's logs in JSON. */
export const inspectJson: ResultsReader = {
  name: 'inspect-json',
  looksLike: 'an Inspect AI log: JSON with eval and samples',
  async recognises(file) {
    const keys = await listTopKeys(file)
    return keys.has('eval') && ['status', 'samples', 'plan', 'version'].some((key) => keys.has(key))
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const { header: fields, samples: raw } = await readLog(file)
    const { model, ...header } = readInspectHeader(fields, { name: file.name, ...(chosen !== undefined && { chosen }) })
    const samples: ForeignSample[] = raw.map(({ fields: sample, place }) => readInspectSample(sample, { model, place }))
    return { ...header, samples, warnings: [...header.warnings, ...warnOfInvalid(samples, file.name)] }
  },
}
