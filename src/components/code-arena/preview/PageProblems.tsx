import { CircleAlert, PackageX } from 'lucide-react'
import type { PageProblem } from './page-problems.ts'

const looks = {
  failure: { Icon: CircleAlert, tint: 'text-danger' },
  missing: { Icon: PackageX, tint: 'text-muted' },
}

/** One quiet line above the page for each thing to know about it. */
export function PageProblems({ problems }: { problems: readonly PageProblem[] }) {
  if (problems.length === 0) return null
  return (
    <ul
      aria-label="About this page"
      className="max-h-24 overflow-y-auto border-b border-line bg-surface px-3 py-1 text-xs"
    >
      {problems.map(({ kind, text }) => {
        const { Icon, tint } = looks[kind]
        return (
          <li key={text} className="flex items-start gap-1.5 py-0.5">
            <Icon size={13} aria-hidden className={`mt-px shrink-0 ${tint}`} />
            <span className="min-w-0 break-words">{text}</span>
          </li>
        )
      })}
    </ul>
  )
}
