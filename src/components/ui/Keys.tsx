/** A key, or several that do the same, and what they do. */
export function Keys({ keys, what }: { keys: readonly string[]; what: string }) {
  return (
    <span className="flex items-center gap-1 whitespace-nowrap">
      {keys.map((key) => (
        <kbd
          key={key}
          className="rounded border border-b-2 border-line bg-surface px-1 font-sans text-[11px] leading-4"
        >
          {key}
        </kbd>
      ))}
      {what}
    </span>
  )
}
