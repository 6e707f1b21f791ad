import { Loaded, isMissing } from '../../ui/Loaded.tsx'
import type { ComparedCase } from '../../../server/results/compare/changed-cases.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { api } from '../../api.ts'
import { useNamesShown } from '../../code-arena/vote/voter.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, useAddress } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { describeCaseChange, formatCount, formatDifference } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Page, Panel } from '../../ui/Page.tsx'
import { TextBox } from '../case/CasePrompt.tsx'
import { CaseSteps, NoSuchCase } from '../case/CaseSteps.tsx'
import { usePageKeys } from '../keys.ts'
import { ComparedAnswers } from './ComparedAnswers.tsx'
import { comparedCaseAddress, comparisonAddress, readCompareQuery } from './compare-address.ts'
import { SideBySide } from './SideBySide.tsx'

/** One text if both sides have the same, else both with their differences. */
function CaseText({ title, a, b }: { title: string; a: string | undefined; b: string | undefined }) {
  if (a === undefined && b === undefined) return null
  return (
    <Panel>
      <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">
        {title}
        {a !== b && <span className="font-normal text-muted"> is not the same in A and B</span>}
      </h2>
      {a === b ? <TextBox label={title} text={a ?? ''} /> : <SideBySide label={title} a={a ?? ''} b={b ?? ''} />}
    </Panel>
  )
}

function describePlace({ change, index, total }: ComparedCase): string {
  const place = index === undefined ? '' : `${formatCount(index + 1)} of ${formatCount(total)}`
  const what =
    change.kind === 'not compared'
      ? `not compared: ${describeCaseChange(change)}`
      : change.kind === 'same'
        ? 'the same score'
        : `${change.kind}, ${formatDifference(change.difference)} points`
  const passed = change.pass && (change.pass === 'lost' ? 'passed → failed' : 'failed → passed')
  return [place, what, passed].filter((part) => part !== '' && part !== undefined).join(' · ')
}

/** The answers of two columns to one case, side by side. */
export function CompareCase() {
  const [address] = useAddress()
  const { a, b, filter, changed } = readCompareQuery(address)
  const [id, modelA, modelB] = ['id', 'pa', 'pb'].map((name) => address.get(name) ?? '') as [string, string, string]
  const isComplete = [a, b, id, modelA, modelB].every((part) => part !== '')
  const detail = useQuery({
    queryKey: ['comparedCase', a, b, modelA, modelB, filter, changed, id],
    queryFn: () => readReply(api.compare.case.$get({ query: { a, b, modelA, modelB, filter, changed, id } })),
    placeholderData: keepPreviousData,
    enabled: isComplete,
  })
  const goTo = (next: string | undefined) => {
    if (next !== undefined) navigate(comparedCaseAddress(address, { id: next, modelA, modelB }))
  }
  usePageKeys((key) => {
    if (key !== 'j' && key !== 'k') return false
    goTo(key === 'j' ? detail.data?.nextId : detail.data?.previousId)
    return true
  })
  const data = isMissing(detail.error) ? undefined : detail.data
  useNamesShown(data?.a.kind, data?.a.runs)
  useNamesShown(data?.b.kind, data?.b.runs)
  return (
    <Page
      title={data?.change.id ?? 'Case'}
      subtitle={
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1" aria-live="polite">
          <Link
            to={comparisonAddress(address)}
            className="inline-flex items-center gap-1 text-accent-ink hover:underline"
          >
            <ArrowLeft size={14} aria-hidden /> Comparison
          </Link>
          {data && <span>{describePlace(data)}</span>}
        </div>
      }
      actions={data && <CaseSteps detail={data} goTo={goTo} />}
    >
      <Loaded
        query={detail}
        what="the answers"
        rows={10}
        missing={<NoSuchCase title="There is no such case in this comparison." back={comparisonAddress(address)} />}
      >
        {(shown) => (
          <div className={classes('flex min-w-0 flex-col gap-4', detail.isPlaceholderData && 'opacity-60')}>
            {shown.change.changed && (
              <Notice kind="warning">
                This case changed between the runs, so the two scores do not measure the same.
              </Notice>
            )}
            <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
              <CaseText title="Prompt" a={shown.a.prompt} b={shown.b.prompt} />
              <CaseText title="Expected output" a={shown.a.expectedOutput} b={shown.b.expectedOutput} />
            </div>
            <ComparedAnswers detail={shown} models={[modelA, modelB]} selections={[a, b]} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
