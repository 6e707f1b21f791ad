import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'

/** Raw HTML stays text; links open nowhere by themselves; a picture shows its address instead of being fetched. */
const schema = { ...defaultSchema, tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img' && name !== 'input') }

function ShownLink({ children, href }: { children?: ReactNode; href?: string | undefined }) {
  return (
    <span className="underline decoration-dotted" title={href}>
      {children}
    </span>
  )
}

export function RenderedMarkdown({ text }: { text: string }) {
  return (
    <div className="markdown break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={{ a: ShownLink }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
