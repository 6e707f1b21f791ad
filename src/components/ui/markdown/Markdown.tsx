import { lazy, Suspense } from 'react'

const Rendered = lazy(async () => ({ default: (await import('./RenderedMarkdown.tsx')).RenderedMarkdown }))

/** A model's answer as Markdown, sanitised, without images or clickable links. Loaded when first needed. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<pre className="font-sans whitespace-pre-wrap">{text}</pre>}>
      <Rendered text={text} />
    </Suspense>
  )
}
