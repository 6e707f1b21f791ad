import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { makeZip } from './zip-file.ts'

/** An Inspect archive of about 6 MB: 200 samples with answers of 30 MB each. */
export function makeLargeArchive(): Buffer {
  const sample = Buffer.from(
    JSON.stringify({
      id: 1,
      epoch: 1,
      input: 'q',
      output: { completion: 'x'.repeat(30e6) },
      scores: { s: { value: 1 } },
    }),
  )
  const claims = { data: deflateRawSync(sample), size: sample.length, crc: crc32(sample) }
  const header = { version: 2, status: 'success', eval: { task: 't', model: 'm' } }
  return makeZip([
    { name: 'header.json', content: JSON.stringify(header) },
    ...Array.from({ length: 200 }, (_, index) => ({ name: `samples/${index}_epoch_1.json`, content: '', claims })),
  ])
}

/** A table of about 8 MB: 7,700 rows with answers of 1 MB each. */
export function makeLargeTable(): Buffer {
  const row = gzipSync(`a-case-with-a-long-id,m,1,${'y'.repeat(1e6)}\n`)
  return Buffer.concat([gzipSync('id,model,score,answer\n'), ...Array.from({ length: 7700 }, () => row)])
}
