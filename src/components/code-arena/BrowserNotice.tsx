import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link } from '../router.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Says when screenshots cannot be taken and, unless problems are enough, that Chromium's sandbox is off. */
export function BrowserNotice({ areProblemsEnough = false }: { areProblemsEnough?: boolean }) {
  const { data } = useQuery({
    queryKey: ['browser'],
    queryFn: () => readReply(api.codeArena.browser.$get()),
    staleTime: 60_000,
  })
  if (!data || (data.problem === undefined && (data.sandbox === 'on' || areProblemsEnough))) return null
  const settings = (
    <Link to="/settings#screenshots" className="shrink-0 underline">
      Settings
    </Link>
  )
  return data.problem === undefined ? (
    <Notice kind="warning" action={settings}>
      Chromium’s sandbox is off by your setting: model-written pages are opened for screenshots without it.
    </Notice>
  ) : (
    <Notice kind="warning" title="No screenshots: judges see only the code" action={settings}>
      {data.problem}
    </Notice>
  )
}
