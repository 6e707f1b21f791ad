import type { Calibration } from '../../server/judges/calibrations.ts'
import { Badge } from '../ui/Badge.tsx'
import { formatDifference, formatScore } from '../../report/words/index.ts'
import { Section, TablePanel } from '../ui/Page.tsx'
import { useNarrow } from '../ui/use-narrow.ts'

/** Every sample with the expected score, the judge's score, and its reasoning. */
export function CalibrationSamples({
  results,
  samples,
}: {
  results: Calibration['result']['samples']
  samples: Calibration['samples']
}) {
  const isNarrow = useNarrow('many columns')
  const texts = new Map(samples.map((sample) => [sample.id, sample]))
  return (
    <Section title="Samples">
      <TablePanel label="Samples">
        <table className="w-full">
          <thead className="text-left text-xs text-muted">
            <tr className="border-b border-line">
              <th className="px-3 py-2 font-medium">Sample</th>
              <th className="px-3 py-2 text-right font-medium">Expected</th>
              <th className="px-3 py-2 text-right font-medium">Judge</th>
              <th className="px-3 py-2 text-right font-medium">Error</th>
              {!isNarrow && <th className="px-3 py-2 font-medium">Reasoning</th>}
            </tr>
          </thead>
          <tbody>
            {results.map(({ sampleId, expectedScore, actualScore, error, withinTolerance, reasoning, unscored }) => {
              const reasons = (
                <>
                  {reasoning ?? unscored?.message ?? ''}
                  {texts.get(sampleId)?.reason !== undefined && (
                    <div className="mt-1 text-muted">
                      Why {formatScore(expectedScore)}: {texts.get(sampleId)?.reason}
                    </div>
                  )}
                </>
              )
              return (
                <tr key={sampleId} className="border-b border-line align-top last:border-0">
                  <td className="px-3 py-2">
                    <div className="font-medium">{sampleId}</div>
                    {texts.get(sampleId)?.trap !== undefined && (
                      <div className="text-xs text-muted">trap: {texts.get(sampleId)?.trap}</div>
                    )}
                    <div className="line-clamp-2 max-w-72 text-muted">{texts.get(sampleId)?.prompt}</div>
                    <div className="line-clamp-2 max-w-72">
                      {texts.get(sampleId)?.response || <span className="text-muted">(empty answer)</span>}
                    </div>
                    {isNarrow && <div className="mt-2 break-words">{reasons}</div>}
                  </td>
                  <td className="px-3 py-2 text-right">{formatScore(expectedScore)}</td>
                  <td className="px-3 py-2 text-right">{formatScore(actualScore)}</td>
                  <td className="px-3 py-2 text-right sm:whitespace-nowrap">
                    {error === undefined ? '–' : formatDifference(error)}{' '}
                    {!withinTolerance && <Badge kind="danger">outside</Badge>}
                  </td>
                  {!isNarrow && <td className="max-w-96 px-3 py-2 break-words">{reasons}</td>}
                </tr>
              )
            })}
          </tbody>
        </table>
      </TablePanel>
    </Section>
  )
}
