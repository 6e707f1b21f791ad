import type { Client, ModelInfo, PageBench, PageTools } from '../contract/index.ts'
import type { PageInspector } from '../preview/page-inspector.ts'
import { isOneColour } from '../services/index.ts'
import { readSandboxSetting } from '../settings/index.ts'
import { findPreviewFiles, packagesFolder } from './package-files.ts'

const MODEL_LIST_TIMEOUT_MS = 10_000

export interface Pages extends PageTools, PageBench {
  close(): Promise<void>
}

/** What the Code Arena needs to inspect pages. Heavy modules are loaded with the first page. */
export function createPages(
  clientFor: (modelId: string) => Client,
  { dataFolder, env }: { dataFolder: string; env: NodeJS.ProcessEnv },
): Pages {
  let inspector: Promise<PageInspector> | undefined
  const lists = new WeakMap<Client, Promise<ModelInfo[]>>()

  const open = () =>
    (inspector ??= import('../preview/page-inspector.ts').then(({ createPageInspector }) =>
      createPageInspector({
        previews: findPreviewFiles(dataFolder, env),
        packages: packagesFolder(dataFolder),
        isBlank: isOneColour,
        sandbox: () => readSandboxSetting(dataFolder, env).sandbox,
      }),
    ))

  const listModels = (client: Client): Promise<ModelInfo[]> => {
    // A provider that cannot list its models can still judge.
    const list =
      lists.get(client) ?? client.listModels({ signal: AbortSignal.timeout(MODEL_LIST_TIMEOUT_MS) }).catch(() => [])
    lists.set(client, list)
    return list
  }

  return {
    inspectPage: async (response, options) => (await open()).inspectPage(response, options),
    openPage: async (response, options) => (await open()).openPage(response, options),
    async takesImages(modelId) {
      const models = await listModels(clientFor(modelId))
      return models.find(({ id }) => id === modelId || modelId.endsWith(`/${id}`))?.takesImages
    },
    testPage: async (response, options) => (await open()).testPage(response, options),
    seePage: async (response, options) => (await open()).seePage(response, options),
    findProblem: async () => (await open()).findProblem(),
    close: async () => (await inspector)?.close(),
  }
}
