const CHECK_MS = 10_000

/** A stream that was opened before an account was disabled must not go on for hours. */
export function endWithSession(reply: Response, isOpen: () => Promise<boolean>): Response {
  if (!reply.body) return reply
  const reader = reply.body.getReader()
  let timer: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        // A database that is away for a moment ends no session.
        isOpen().then(
          (stillOpen) => {
            if (stillOpen) return
            clearInterval(timer)
            void reader.cancel()
            controller.close()
          },
          () => undefined,
        )
      }, CHECK_MS)
      timer.unref()
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      clearInterval(timer)
      // Closed already if the session ended meanwhile.
      try {
        controller.close()
      } catch {
        return undefined
      }
      return undefined
    },
    cancel(reason) {
      clearInterval(timer)
      return reader.cancel(reason)
    },
  })
  return new Response(body, reply)
}
