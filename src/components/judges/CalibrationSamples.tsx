import type { Calibration } from '../../server/judges/calibrations.ts'
import { sampleTable } from '../../report/tables/judges.ts'
import { formatDifference, formatScore } from '../../report/words/index.ts'
import { Badge } from '../ui/Badge.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useNarrow } from '../ui/use-narrow.ts'

type Result = Calibration['result']['samples'][number]
type Sample = Calibration['samples'][number]

function Reasons({ result, sample }: { result: Result; sample: Sample | undefined }) {
  return (
    <>
      {result.reasoning ?? result.unscored?.message ?? ''}
      {sample?.reason !== undefined && (
        <div className="mt-1 text-muted">
          Why {formatScore(result.expectedScore)}: {sample.reason}
        </div>
      )}
    </>
  )
}

/** Every sample with the expected score, the judge's score, and its reasoning. */
export function CalibrationSamples({ results, samples }: { results: Result[]; samples: Sample[] }) {
  const isNarrow = useNarrow('many columns')
  const texts = new Map(samples.map((sample) => [sample.id, sample]))
  return (
    <Section title="Samples">
      <DataTable
        label="Samples"
        columns={sampleTable.filter(({ key }) => key !== 'within' && !(isNarrow && key === 'reasoning'))}
        rows={results}
        keyOf={({ sampleId }) => sampleId}
        draw={{
          sample: (result) => {
            const { trap, prompt, response } = texts.get(result.sampleId) ?? {}
            return (
              <div className="font-normal">
                <div className="font-medium">{result.sampleId}</div>
                {trap !== undefined && <div className="text-xs text-muted">trap: {trap}</div>}
                <div className="line-clamp-2 max-w-72 text-muted">{prompt}</div>
                <div className="line-clamp-2 max-w-72">
                  {response || <span className="text-muted">(empty answer)</span>}
                </div>
                {isNarrow && (
                  <div className="mt-2 break-words">
                    <Reasons result={result} sample={texts.get(result.sampleId)} />
                  </div>
                )}
              </div>
            )
          },
          error: ({ error, withinTolerance }) => (
            <>
              {formatDifference(error)} {!withinTolerance && <Badge kind="danger">outside</Badge>}
            </>
          ),
          reasoning: (result) => <Reasons result={result} sample={texts.get(result.sampleId)} />,
        }}
      />
    </Section>
  )
}
