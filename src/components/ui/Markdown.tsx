import { lazy, Suspense } from 'react'

const Rendered = lazy(async () => ({ default: (await import('./RenderedMarkdown.tsx')).RenderedMarkdown }))

/** A model's words as Markdown: sanitised after rendering, no remote image, no live link to a script. Loaded when first needed. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre className="font-sans whitespace-pre-wrap">{text}</pre>}>
      <Rendered text={text} />
    </Suspense>
  )
}
