/** What decides the cluster of a test case. */
export interface ClusterFields {
  cluster?: string | undefined
  metadata?: unknown
  vars?: unknown
}

/** The value of a field of the case, by its path; only text, numbers and booleans name a cluster. */
function readField(source: unknown, path: string): string | undefined {
  let value = source
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * The cluster of a case: the one it names, else the value of the suite's `clusterBy` in the case itself, its metadata or
 * its vars. Undefined for a case that is its own.
 */
export function readCluster(testCase: ClusterFields, clusterBy?: string): string | undefined {
  // Cases handed over by code, and stored before clusters were checked, may have a number here.
  const own = readField(testCase, 'cluster')
  if (own !== undefined || clusterBy === undefined) return own
  return [clusterBy, `metadata.${clusterBy}`, `vars.${clusterBy}`]
    .map((path) => readField(testCase, path))
    .find((value) => value !== undefined)
}
