import { useQuery } from '@tanstack/react-query'
import type { ScreenProps } from '../App.tsx'
import { api } from '../api-client.ts'
import { Link } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { countOf, formatDifference, formatScore, formatTime } from '../ui/format.ts'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { Page, Panel, Section, TablePanel } from '../ui/Page.tsx'
import { RatingBadge } from './CalibrationHistory.tsx'
import { CalibrationScatter } from './CalibrationScatter.tsx'
import { CalibrationSamples } from './CalibrationSamples.tsx'

const limits = [
  { rating: 'excellent', passRate: '≥ 90 %', error: '≤ 10', correlation: '≥ 0.9' },
  { rating: 'good', passRate: '≥ 75 %', error: '≤ 15', correlation: '≥ 0.8' },
  { rating: 'fair', passRate: '≥ 50 %', error: '≤ 25', correlation: '≥ 0.6' },
] as const

/** One calibration: the rating, where it comes from, and every sample. */
export function CalibrationView({ params }: ScreenProps) {
  const id = params['id']!
  const calibration = useQuery({ queryKey: ['calibration', id], queryFn: () => api.calibration(id) })
  if (calibration.isPending)
    return (
      <Page title="Calibration">
        <Loading label="Loading the calibration …" />
      </Page>
    )
  if (calibration.error)
    return (
      <Page title="Calibration">
        <FailureNotice
          title="The calibration cannot be shown"
          failure={calibration.error}
          action={
            <Link to="/judges" className={buttonClass()}>
              All judges
            </Link>
          }
        />
      </Page>
    )
  const { result, interpretation, source, savedAt, samples } = calibration.data
  const { summary } = result
  const unread = result.samples.filter(({ actualScore }) => actualScore === undefined).length
  return (
    <Page
      title={result.judgeModelId}
      subtitle={`${source} · ${formatTime(savedAt)}`}
      actions={
        <Link to={`/judges?judge=${encodeURIComponent(result.judgeModelId)}`} className={buttonClass()}>
          Calibrate again
        </Link>
      }
    >
      <Panel className="flex flex-col gap-1 p-3">
        <div className="flex flex-wrap items-center gap-2">
          <RatingBadge rating={interpretation.rating} />
          <span className="font-medium">{interpretation.summary}</span>
        </div>
        <p>{interpretation.advice}</p>
        {unread > 0 && <p className="text-warning">{countOf(unread, 'grade')} could not be read; they count as outside the tolerance and are left out of the errors.</p>}
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Section title="Given against expected" aside="On the line the judge is right; above it too kind">
          <CalibrationScatter samples={result.samples} />
        </Section>
        <Section title="Figures">
          <TablePanel label="Figures">
            <table className="w-full text-right">
              <caption className="sr-only">Figures and what each rating needs</caption>
              <thead className="text-xs text-muted">
                <tr className="border-b border-line">
                  <th className="px-3 py-1.5 text-left font-medium">Figure</th>
                  <th className="px-3 py-1.5 font-medium">This judge</th>
                  {limits.map(({ rating }) => (
                    <th key={rating} className="px-3 py-1.5 font-medium">
                      {rating}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <tr className="border-b border-line">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    Within tolerance
                  </th>
                  <td className="px-3 py-1.5 font-medium">{Math.round(summary.passRate * 100)} %</td>
                  {limits.map(({ rating, passRate }) => (
                    <td key={rating} className="px-3 py-1.5 whitespace-nowrap text-muted">
                      {passRate}
                    </td>
                  ))}
                </tr>
                <tr className="border-b border-line">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    Mean absolute error
                  </th>
                  <td className="px-3 py-1.5 font-medium">{formatScore(summary.meanAbsoluteError)}</td>
                  {limits.map(({ rating, error }) => (
                    <td key={rating} className="px-3 py-1.5 whitespace-nowrap text-muted">
                      {error}
                    </td>
                  ))}
                </tr>
                <tr className="border-b border-line">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    Correlation
                  </th>
                  <td className="px-3 py-1.5 font-medium">{summary.correlation.toFixed(3)}</td>
                  {limits.map(({ rating, correlation }) => (
                    <td key={rating} className="px-3 py-1.5 whitespace-nowrap text-muted">
                      {correlation}
                    </td>
                  ))}
                </tr>
                <tr className="border-b border-line">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    Bias
                  </th>
                  <td className="px-3 py-1.5 font-medium">{formatDifference(summary.bias)}</td>
                  <td colSpan={3} className="px-3 py-1.5 text-muted">
                    above 0: too kind
                  </td>
                </tr>
                <tr>
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    Largest error
                  </th>
                  <td className="px-3 py-1.5 font-medium">{formatScore(summary.maxError)}</td>
                  <td colSpan={3} />
                </tr>
              </tbody>
            </table>
          </TablePanel>
        </Section>
      </div>
      <CalibrationSamples results={result.samples} samples={samples} />
    </Page>
  )
}
