const CHUNK_SIZE = 1 << 18

/** Streams bytes: sending many megabytes offset once would copy them first and block everything else. */
export function streamBytes(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset < bytes.length) controller.enqueue(bytes.subarray(offset, (offset += CHUNK_SIZE)))
      if (offset >= bytes.length) controller.close()
    },
  })
}
