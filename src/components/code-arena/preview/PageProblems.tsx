import { CircleAlert, PackageX } from 'lucide-react'
import { InstallPackages } from './InstallPackages.tsx'
import type { PageProblem } from './page-problems.ts'

const looks = {
  failure: { Icon: CircleAlert, tint: 'text-danger' },
  missing: { Icon: PackageX, tint: 'text-muted' },
}

/** One quiet line above the page for each thing to know about it. */
export function PageProblems({
  problems,
  installable,
}: {
  problems: readonly PageProblem[]
  /** Packages that the page lacks and that can be installed. */
  installable?: readonly string[] | undefined
}) {
  if (problems.length === 0) return null
  const last = problems.findLastIndex(({ kind }) => kind === 'missing')
  return (
    <ul
      aria-label="About this page"
      className="max-h-24 overflow-y-auto border-b border-line bg-surface px-3 py-1 text-xs"
    >
      {problems.map(({ kind, text }, index) => {
        const { Icon, tint } = looks[kind]
        return (
          <li key={text} className="flex items-start gap-1.5 py-0.5">
            <Icon size={13} aria-hidden className={`mt-px shrink-0 ${tint}`} />
            <span className="min-w-0 break-words">{text}</span>
            {index === last && installable && <InstallPackages names={installable} />}
          </li>
        )
      })}
    </ul>
  )
}
