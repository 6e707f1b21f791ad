import type { OpenExternal } from '../../contract/index.ts'

/** Real tools for conversations. Loaded when a suite has some. */
export function allowExternal({ allowsCommands }: { allowsCommands: boolean }): OpenExternal {
  return {
    allowsCommands,
    async open({ mcp, http }, { task, world, session, signal }) {
      const controller = new AbortController()
      const stop = () => controller.abort()
      const forget = () => signal?.removeEventListener('abort', stop)
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop, { once: true })
      const open = async () => {
        if (http !== undefined) {
          const { openHttp } = await import('./http.ts')
          return openHttp(http, { task, known: session, signal: controller.signal })
        }
        const { openMcp } = await import('./mcp.ts')
        return openMcp(mcp ?? {}, { files: world, signal: controller.signal })
      }
      try {
        const opened = await open()
        return {
          ...opened,
          close(isOver) {
            forget()
            return opened.close(isOver)
          },
        }
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}
