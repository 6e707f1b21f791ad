import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useAddress } from '../../router.tsx'
import { Screenshots } from '../../code-arena/panel/Screenshots.tsx'
import { defaultViewportWidth, readViewportWidth } from '../../code-arena/preview/fit-viewport.ts'
import { StoredPage } from '../../code-arena/preview/StoredPage.tsx'
import { ViewportSwitch } from '../../code-arena/preview/ViewportSwitch.tsx'
import { formatCount } from '../../../report/words/index.ts'

interface CasePageProps {
  runId: string
  testCaseId: string
  modelId: string
}

interface Findings {
  errors: string[]
  accessibility: { id: string; impact: string; help: string; count: number }[]
  blocked: { url: string; why: string }[]
  problem?: string | undefined
}

function FindingList({ errors, accessibility, blocked, problem }: Findings) {
  const lines = [
    ...(problem === undefined ? [] : [problem]),
    ...errors.map((error) => `Error: ${error}`),
    ...accessibility.map(({ impact, help, count }) => `${impact}: ${help} (${formatCount(count, 'place')})`),
    ...blocked.map(({ url, why }) => `Not loaded: ${url} (${why})`),
  ]
  if (lines.length === 0) return <p className="text-[13px] text-muted">The browser found no problems.</p>
  return (
    <ul aria-label="What the browser found" className="max-h-40 overflow-auto text-[13px]" tabIndex={0}>
      {lines.map((line) => (
        <li key={line} className="py-0.5 break-words">
          {line}
        </li>
      ))}
    </ul>
  )
}

/** The page in an answer, live and isolated as everywhere, with its stored screenshots and what the browser found. */
export function CasePage({ runId, testCaseId, modelId }: CasePageProps) {
  const [query, changeQuery] = useAddress()
  const width = readViewportWidth(query.get('width'), defaultViewportWidth(window.innerWidth))
  const stored = useQuery({
    queryKey: ['code-arena', 'inspection', runId, testCaseId, modelId],
    queryFn: () =>
      readReply(
        api.arenaPages[':runId'].inspection.$get({ param: { runId }, query: { model: modelId, case: testCaseId } }),
      ),
  })
  const inspection = stored.data?.inspection
  return (
    <div className="flex flex-col border-b border-line">
      <StoredPage
        page={{ runId, modelId, testCaseId }}
        title={`Page by ${modelId}`}
        width={width}
        height="420px"
        lead={<ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />}
      />
      {stored.data && (
        <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
          {inspection ? (
            <>
              {inspection.screenshots.length > 0 && (
                <Screenshots modelId={modelId} screenshots={inspection.screenshots} />
              )}
              <FindingList {...inspection} />
            </>
          ) : (
            <p className="text-[13px] text-muted">This page was not inspected in a browser.</p>
          )}
        </div>
      )}
    </div>
  )
}
