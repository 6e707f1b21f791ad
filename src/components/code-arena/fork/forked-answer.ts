/** The files of a page, as its editor has them. */
export interface PageFile {
  name: string
  language: string
  code: string
}

/** A fence that no line of the code can close. */
function fenceFor(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}

/** The files as a model would answer with them, so that an edited page takes the same way as any other. */
export function writeForkedAnswer(files: readonly PageFile[]): string {
  return files
    .map(({ name, language, code }) => {
      const fence = fenceFor(code)
      return `${fence}${/^[\w+#-]+$/.test(language) ? language : ''} ${name}\n${code}\n${fence}`
    })
    .join('\n\n')
}

/** What a page without code starts from. */
export const emptyPage: PageFile[] = [{ name: 'index.html', language: 'html', code: '' }]

export function isSameCode(a: readonly PageFile[], b: readonly PageFile[]): boolean {
  return a.length === b.length && a.every(({ name, code }, index) => name === b[index]!.name && code === b[index]!.code)
}

/** `fork of demo/good`, or the name it was given. */
export function nameFork({ name, modelId }: { name?: string | undefined; modelId: string }): string {
  return name === undefined || name === '' ? `fork of ${modelId}` : name
}

/** The screen where a page's code is edited. */
export function editAddressOf(runId: string, modelId: string): string {
  return `/code-arena/${encodeURIComponent(runId)}/edit?${new URLSearchParams({ model: modelId })}`
}
