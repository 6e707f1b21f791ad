import { isAlias, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { InputError, isRecord, writeSorted } from '../../contract/index.ts'
import { parseLocated } from '../text/located-document.ts'

/** Where to write what into a text. */
interface Insertion {
  at: number
  text: string
}

/** A name that YAML reads as text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w-]*$/i

function findPair(testCase: YAMLMap, name: string) {
  return testCase.items.find(({ key }) => isScalar(key) && key.value === name)
}

/** After the id, as the fields around it are written; undefined if that place cannot be found. */
function insertAfterId(text: string, testCase: YAMLMap, cluster: string): Insertion | undefined {
  const { key, value } = findPair(testCase, 'id') ?? {}
  if (!isScalar(key) || !isScalar(value) || !key.range || !value.range) return undefined
  const [start, end] = [key.range[0], value.range[1]]
  if (testCase.flow) {
    const before = /[{,]([ \t\r\n]*)$/.exec(text.slice(0, start))?.[1] ?? ' '
    const gap = before.includes('\n') ? before : ' '
    const isQuoted = text[start] === '"'
    return { at: end, text: `,${gap}${isQuoted ? '"cluster"' : 'cluster'}: ${JSON.stringify(cluster)}` }
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isWindows = text.includes('\r\n')
  const at = lineEnd < 0 ? text.length : lineEnd - (text[lineEnd - 1] === '\r' ? 1 : 0)
  const written = PLAIN.test(cluster) ? cluster : JSON.stringify(cluster)
  return { at, text: `${isWindows ? '\r\n' : '\n'}${' '.repeat(start - lineStart)}cluster: ${written}` }
}

function withClusters(suite: unknown, clusterOf: ReadonlyMap<string, string>): unknown {
  if (!isRecord(suite) || !Array.isArray(suite['testCases'])) return suite
  const testCases: unknown[] = suite['testCases']
  return {
    ...suite,
    testCases: testCases.map((testCase) => {
      const cluster = isRecord(testCase) ? clusterOf.get(String(testCase['id'])) : undefined
      return isRecord(testCase) && cluster !== undefined ? { ...testCase, cluster } : testCase
    }),
  }
}

/** The same whatever the order of fields. */

/**
 * The text of a suite, YAML or JSON, with the clusters of some of its cases written after their ids: comments, order and
 * layout stay. Refuses a text in which that cannot be done without changing anything else.
 */
export function writeClusters(text: string, file: string, clusterOf: ReadonlyMap<string, string>): string {
  const before = parseLocated(text, file)
  const document = parseDocument(text, { prettyErrors: false, schema: 'core' })
  const list = isMap(document.contents) ? document.contents.get('testCases', true) : undefined
  const insertions: Insertion[] = []
  for (const [index, testCase] of isSeq(list) ? list.items.entries() : []) {
    const id = isMap(testCase) ? testCase.get('id', true) : undefined
    const cluster = isScalar(id)
      ? (clusterOf.get(String(id.source ?? id.value)) ?? clusterOf.get(String(id.value)))
      : undefined
    if (isAlias(testCase))
      throw new InputError(
        `${before.locate(['testCases', index])}: the case is an alias (*${testCase.source}), so its cluster cannot be written; write the case out`,
      )
    const insertion = isMap(testCase) && cluster !== undefined ? insertAfterId(text, testCase, cluster) : undefined
    if (insertion) insertions.push(insertion)
  }
  let written = ''
  let from = 0
  for (const { at, text: added } of insertions.toSorted((a, b) => a.at - b.at)) {
    written += text.slice(from, at) + added
    from = at
  }
  written += text.slice(from)
  const isAsMeant = () => {
    try {
      return writeSorted(parseLocated(written, file).value) === writeSorted(withClusters(before.value, clusterOf))
    } catch {
      return false
    }
  }
  if (insertions.length !== clusterOf.size || !isAsMeant())
    throw new InputError(
      `${file}: the clusters cannot be written without changing more than that; write cluster: into its cases yourself`,
    )
  return written
}
