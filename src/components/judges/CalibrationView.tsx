import { Loaded } from '../ui/Loaded.tsx'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { presetOfPrompt } from '../../contract/index.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { describeCertaintyFigures, listCalibrationFigures } from '../../report/words/judges/calibration.ts'
import { formatCount } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { Page, Panel, Section, TablePanel } from '../ui/Page.tsx'
import { RatingBadge } from './CalibrationHistory.tsx'
import { CalibrationScatter } from './CalibrationScatter.tsx'
import { CalibrationSamples } from './CalibrationSamples.tsx'

const ratings = ['excellent', 'good', 'fair'] as const

/** What each rating demands of a figure, or one remark. */
const THRESHOLDS: Record<string, string[]> = {
  'Within tolerance': ['≥ 90 %', '≥ 75 %', '≥ 50 %'],
  'Mean absolute error': ['≤ 10', '≤ 15', '≤ 25'],
  Correlation: ['≥ 0.9', '≥ 0.8', '≥ 0.6'],
  Bias: ['above 0: too lenient'],
}

/** Each figure with its interval and the threshold of each rating. */
function listFigures(result: Calibration['result']) {
  return listCalibrationFigures(result).map((figure) => ({ ...figure, thresholds: THRESHOLDS[figure.name] ?? [''] }))
}

/** The form with the same judge and criteria. */
function calibrateAddress({ judgeModelId, promptVersion = '' }: Calibration['result']): string {
  const preset = presetOfPrompt(promptVersion)
  return `/judges?${new URLSearchParams({ judge: judgeModelId, ...(preset !== undefined && { preset }) }).toString()}`
}

function CalibrationPage({ calibration }: { calibration: Calibration }) {
  const { result, interpretation, source, setVersion, savedAt, samples } = calibration
  const figures = listFigures(result)
  const unreadable = result.samples.filter(({ actualScore }) => actualScore === undefined).length
  return (
    <Page
      title={result.judgeModelId}
      subtitle={`${source}${setVersion === undefined ? '' : ` (${setVersion})`} · prompt ${result.promptVersion ?? ''} · ${formatLocalTime(savedAt)}`}
      actions={
        <Link to={calibrateAddress(result)} className={buttonClass()}>
          Calibrate again
        </Link>
      }
    >
      <Panel className="flex flex-col gap-1 p-3">
        <div className="flex flex-wrap items-center gap-2">
          <RatingBadge rating={interpretation.rating} />
          <span className="font-medium">{interpretation.summary}</span>
        </div>
        <p>
          {interpretation.certainty} {interpretation.advice}
        </p>
        {result.certainty && <p className="text-muted">{describeCertaintyFigures(result)}</p>}
        {unreadable > 0 && (
          <p className="text-warning">
            {formatCount(unreadable, 'score')} could not be read. They count as outside the tolerance, but not in the
            errors.
          </p>
        )}
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Section title="Judge against expected" aside="On the line, the judge is right; above it, too lenient">
          <CalibrationScatter samples={result.samples} />
        </Section>
        <Section title="Summary">
          <TablePanel label="Summary">
            <table className="w-full text-right">
              <caption className="sr-only">Figures and the thresholds of each rating</caption>
              <thead className="text-xs text-muted">
                <tr className="border-b border-line">
                  <th className="px-3 py-1.5 text-left font-medium">Figure</th>
                  <th className="px-3 py-1.5 font-medium">This judge</th>
                  <th className="px-3 py-1.5 font-medium">95 % CI</th>
                  {ratings.map((rating) => (
                    <th key={rating} className="px-3 py-1.5 font-medium">
                      {rating}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {figures.map(({ name, value, interval, thresholds }) => (
                  <tr key={name} className="border-b border-line last:border-0">
                    <th scope="row" className="px-3 py-1.5 text-left font-normal">
                      {name}
                    </th>
                    <td className="px-3 py-1.5 font-medium whitespace-nowrap">{value}</td>
                    <td className="px-3 py-1.5 whitespace-nowrap">{interval}</td>
                    {thresholds.length === 1 ? (
                      <td colSpan={ratings.length} className="px-3 py-1.5 text-muted">
                        {thresholds[0]}
                      </td>
                    ) : (
                      ratings.map((rating, index) => (
                        <td key={rating} className="px-3 py-1.5 whitespace-nowrap text-muted">
                          {thresholds[index]}
                        </td>
                      ))
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePanel>
        </Section>
      </div>
      <CalibrationSamples results={result.samples} samples={samples} />
    </Page>
  )
}

/** One calibration: the rating, its figures, and every sample. */
export function CalibrationView({ params }: ScreenProps) {
  const id = params['id']!
  const calibration = useQuery({
    queryKey: ['calibration', id],
    queryFn: () => readReply(api.calibrations[':id'].$get({ param: { id } })),
  })
  return (
    <Loaded query={calibration} what="the calibration" page="Calibration" back={{ to: '/judges', label: 'All judges' }}>
      {(loaded) => <CalibrationPage calibration={loaded} />}
    </Loaded>
  )
}
