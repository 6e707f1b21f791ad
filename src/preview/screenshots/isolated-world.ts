import type { CDPSession } from 'playwright-core'

const WORLD = 'benchmaker-driver'

/** An isolated world inside a page: it sees the document but not the page's variables, and the page does not see it. */
export interface IsolatedWorld {
  evaluate(expression: string): Promise<unknown>
}

/** Runs the driver's script in every document before the page's own scripts. */
export async function installDriver(session: CDPSession, source: string): Promise<void> {
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
}

export async function openWorld(session: CDPSession): Promise<IsolatedWorld> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: WORLD,
  })
  return {
    async evaluate(expression) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
  }
}
