import { Link } from '../../router.tsx'

/** Links to the runs with the tag. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full min-w-0">
          <Link
            to={`/results?${new URLSearchParams({ tag }).toString()}`}
            title={`All runs tagged ${tag}`}
            className="block max-w-full truncate rounded bg-sunken px-1.5 text-xs leading-6 text-muted hover:text-ink"
          >
            <bdi>{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
