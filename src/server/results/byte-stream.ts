const CHUNK_SIZE = 1 << 18

/** Bytes as a stream: a reply made of many megabytes at once would be copied first, and hold up everything else meanwhile. */
export function streamBytes(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += CHUNK_SIZE)))
      if (at >= bytes.length) controller.close()
    },
  })
}
