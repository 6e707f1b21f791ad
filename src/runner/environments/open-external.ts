import type { OpenExternal } from '../../contract/index.ts'

/** Real tools for conversations. Loaded when a suite has some. */
export function allowExternal({ allowsCommands }: { allowsCommands: boolean }): OpenExternal {
  return {
    allowsCommands,
    async open({ mcp, http }, { task, world, session }) {
      if (http !== undefined) {
        const { openHttp } = await import('./http.ts')
        return openHttp(http, task, session)
      }
      const { openMcp } = await import('./mcp.ts')
      return openMcp(mcp ?? {}, world)
    },
  }
}
